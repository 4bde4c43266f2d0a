using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Platform.Linux;

/// <summary>
/// A socket to one of the kernel's netlink families (netlink(7)), in the network namespace of the thread that opened it. It never blocks: the kernel
/// answers most requests within the call that sends them, and whoever expects more waits with <see cref="Wait"/>.
/// </summary>
sealed class NetlinkSocket : IDisposable
{
    /// <summary>NETLINK_ROUTE: interfaces, routes, queueing disciplines.</summary>
    public const int Route = 0;

    /// <summary>NETLINK_SOCK_DIAG: the sockets of a namespace.</summary>
    public const int SocketDiagnosis = 4;

    /// <summary>NETLINK_NETFILTER: packet queues and rules.</summary>
    public const int Netfilter = 12;

    const int ReceiveBufferForce = 33;
    const int NoBufferErrors = 5;
    const int ReceiveBufferBytes = 8 << 20;
    const int AddressBytes = 12;
    const long AnswerTimeoutNanos = 2_000_000_000;

    readonly FileDescriptor _socket;
    readonly PollDescriptor[] _polled;

    NetlinkSocket(FileDescriptor socket)
    {
        _socket = socket;
        _polled = [new PollDescriptor { Descriptor = socket.Number, Events = PollDescriptor.PollIn }];
    }

    /// <summary>Opens a socket.</summary>
    /// <param name="family">One of the families above.</param>
    /// <returns>The socket; null when the system refused it.</returns>
    public static NetlinkSocket? TryOpen(int family)
    {
        FileDescriptor socket = Libc.Socket(Libc.FamilyNetlink, Libc.SocketRaw | Libc.NonBlocking | Libc.CloseOnExec, family);
        Span<byte> any = stackalloc byte[AddressBytes];
        any.Clear();
        any[0] = Libc.FamilyNetlink;
        if (!socket.IsInvalid && Libc.Bind(socket, any, any.Length) == 0)
        {
            return new(socket);
        }

        socket.Dispose();
        return null;
    }

    /// <summary>Opens a socket for packets or for what decides about them.</summary>
    /// <exception cref="PlatformException">The system refused.</exception>
    public static NetlinkSocket OpenForPackets(int family)
    {
        NetlinkSocket socket = TryOpen(family)
            ?? throw PlatformException.FromLastError("open a netlink socket", "Run as root, with the nfnetlink_queue and inet_diag modules loaded.");

        // When packets come faster than they are read the queue fails open, which their numbers show; an error for each would only cost time.
        _ = Libc.SetOption(socket._socket, Libc.LevelSocket, ReceiveBufferForce, ReceiveBufferBytes);
        _ = Libc.SetOption(socket._socket, Libc.LevelNetlink, NoBufferErrors, 1);
        return socket;
    }

    /// <summary>Waits until something can be received.</summary>
    /// <exception cref="PlatformException">The system refused.</exception>
    public void Wait(long timeoutNanos)
    {
        if (Libc.Poll(_polled, 1, Timespec.FromNanos(timeoutNanos)) < 0 && Libc.LastError() != Errno.Interrupted)
        {
            throw PlatformException.FromLastError("wait for netlink", "Please report it.");
        }
    }

    /// <summary>Receives one datagram.</summary>
    /// <returns>Its length; 0 when there is none.</returns>
    public int Receive(Span<byte> buffer) => (int)Math.Max(0, Libc.Read(_socket, buffer, buffer.Length));

    /// <summary>Sends messages without waiting for an answer.</summary>
    /// <returns>False when the kernel did not take them.</returns>
    public bool TrySend(ReadOnlySpan<byte> messages) => Libc.Write(_socket, messages, messages.Length) == messages.Length;

    /// <summary>Sends messages, and waits until the last one that asks for it is acknowledged.</summary>
    /// <param name="messages">The messages.</param>
    /// <param name="first">The sequence number of the first; answers to earlier ones are passed over.</param>
    /// <param name="last">The sequence number of the last that asks for an acknowledgement.</param>
    /// <param name="action">What is being done, for the message of a refusal.</param>
    /// <exception cref="PlatformException">The kernel refused one of the messages, or did not answer.</exception>
    public void Request(ReadOnlySpan<byte> messages, uint first, uint last, string action)
    {
        const string Cure = "Run as root; the kernel needs nf_tables and nfnetlink_queue, and the queue must not be in use.";
        if (!TrySend(messages))
        {
            throw PlatformException.FromLastError(action, Cure);
        }

        byte[] answer = new byte[8192];
        while (true)
        {
            Wait(AnswerTimeoutNanos);
            int length = Receive(answer);
            if (length == 0)
            {
                throw new PlatformException(action, 0, "no answer from the kernel", Cure);
            }

            if (FindOutcome(answer.AsSpan(0, length), first, last) is { } code)
            {
                if (code != 0)
                {
                    throw new PlatformException(action, code, Marshal.GetPInvokeErrorMessage(code), Cure);
                }

                return;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    // An error ends the wait whichever message it belongs to, an acknowledgement only when it is the last one. An error carries the message it is
    // about, which may be longer than the buffer: what is there of it will do.
    static int? FindOutcome(ReadOnlySpan<byte> answer, uint first, uint last)
    {
        while (answer.Length >= NetlinkReader.HeaderLength + sizeof(int))
        {
            int length = Math.Clamp(MemoryMarshal.Read<int>(answer), NetlinkReader.HeaderLength, answer.Length);
            int code = -MemoryMarshal.Read<int>(answer[NetlinkReader.HeaderLength..]);
            uint sequence = MemoryMarshal.Read<uint>(answer[8..]);
            bool isOurs = MemoryMarshal.Read<ushort>(answer[4..]) == NetlinkReader.TypeError && sequence >= first;
            if (isOurs && (code != 0 || sequence == last))
            {
                return code;
            }

            answer = answer[Math.Min(answer.Length, (length + 3) & ~3)..];
        }

        return null;
    }
}
