using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Shim.Linux;

namespace TcpDiag.Shim.Netlink;

/// <summary>A socket to one of the kernel's netlink families.</summary>
[SupportedOSPlatform("linux")]
sealed class NetlinkSocket : IDisposable
{
    const int FamilyNetlink = 16;
    const int Raw = 3;
    const int SocketLevel = 1;
    const int ReceiveBufferForce = 33;
    const int NetlinkLevel = 270;
    const int NoBufferErrors = 5;
    const int ErrorMessage = 2;
    const int ReceiveBufferBytes = 8 << 20;

    /// <summary>NETLINK_NETFILTER: packet queues and rules.</summary>
    public const int Netfilter = 12;

    /// <summary>NETLINK_SOCK_DIAG: what the kernel tells of sockets.</summary>
    public const int SocketDiagnosis = 4;

    const long AnswerTimeoutNs = 2_000_000_000;

    readonly LinuxHandle _socket;
    readonly Libc.PollEntry[] _polled;

    /// <summary>Opens the socket; it does not block.</summary>
    /// <param name="family">One of the families above.</param>
    /// <exception cref="ShimException">The system refused.</exception>
    public NetlinkSocket(int family = Netfilter)
    {
        _socket = Libc.Socket(FamilyNetlink, Raw | Libc.NonBlocking | Libc.CloseOnExec, family);
        Span<byte> any = stackalloc byte[12];
        any.Clear();
        any[0] = FamilyNetlink;
        if (_socket.IsInvalid || Libc.Bind(_socket, any, (uint)any.Length) != 0)
        {
            throw Libc.LastError("open a netlink socket", "Run as root, with the nfnetlink_queue and inet_diag modules loaded.");
        }

        // When packets come faster than they are read the queue fails open, which their numbers tell; an error for each would only cost time.
        _ = Libc.SetOption(_socket, SocketLevel, ReceiveBufferForce, ReceiveBufferBytes);
        _ = Libc.SetOption(_socket, NetlinkLevel, NoBufferErrors, 1);
        _polled = [new Libc.PollEntry { Descriptor = (int)_socket.DangerousGetHandle(), Events = Libc.PollIn }];
    }

    /// <summary>Waits until something can be received.</summary>
    /// <exception cref="ShimException">The system refused.</exception>
    public void Wait(long timeoutNs)
    {
        if (Libc.Poll(_polled, 1, Libc.Timespec.FromNanoseconds(timeoutNs)) < 0 && Marshal.GetLastPInvokeError() != Libc.Eintr)
        {
            throw Libc.LastError("wait for netlink", "Please report it.");
        }
    }

    /// <summary>Receives one datagram.</summary>
    /// <returns>Its length; 0 when there is none.</returns>
    public int Receive(Span<byte> buffer) => (int)Math.Max(0, Libc.Read(_socket, buffer, buffer.Length));

    /// <summary>Sends without waiting for an answer.</summary>
    public bool Send(ReadOnlySpan<byte> messages) => Libc.Write(_socket, messages, messages.Length) == messages.Length;

    /// <summary>Sends messages, and waits until the last one that asks for it is acknowledged.</summary>
    /// <param name="messages">The messages.</param>
    /// <param name="first">The sequence number of the first; what the kernel still says to earlier ones is passed over.</param>
    /// <param name="last">The sequence number of the last that asks for an acknowledgement.</param>
    /// <param name="action">What is being done, for the message of a refusal.</param>
    /// <exception cref="ShimException">The kernel refused one of the messages, or did not answer.</exception>
    public void Request(ReadOnlySpan<byte> messages, uint first, uint last, string action)
    {
        const string Cure = "Run as root; the kernel needs nf_tables and nfnetlink_queue, and the queue must not be in use.";
        if (!Send(messages))
        {
            throw Libc.LastError(action, Cure);
        }

        byte[] answer = new byte[8192];
        while (true)
        {
            Wait(AnswerTimeoutNs);
            int length = Receive(answer);
            if (length == 0)
            {
                throw new ShimException(action, 0, "no answer from the kernel", Cure);
            }

            if (FindOutcome(answer.AsSpan(0, length), first, last) is { } code)
            {
                if (code != 0)
                {
                    throw new ShimException(action, code, Marshal.GetPInvokeErrorMessage(code), Cure);
                }

                return;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    // An error ends the wait whichever message it belongs to, an acknowledgement only when it is the last one.
    static int? FindOutcome(ReadOnlySpan<byte> answer, uint first, uint last)
    {
        while (answer.Length >= 20)
        {
            int length = Math.Clamp(MemoryMarshal.Read<int>(answer), 16, answer.Length);
            int code = -MemoryMarshal.Read<int>(answer[16..]);
            uint sequence = MemoryMarshal.Read<uint>(answer[8..]);
            bool isOurs = MemoryMarshal.Read<ushort>(answer[4..]) == ErrorMessage && sequence >= first;
            if (isOurs && (code != 0 || sequence == last))
            {
                return code;
            }

            answer = answer[Math.Min(answer.Length, (length + 3) & ~3)..];
        }

        return null;
    }
}
