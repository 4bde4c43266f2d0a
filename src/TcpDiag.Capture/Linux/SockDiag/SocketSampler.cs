using System;
using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Text;
using System.Threading;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// Samples the TCP sockets of one network namespace. Sockets become known by a periodic listing, and by the event
/// of their opening; each sample queries them one by one, which the kernel finds in a hash table, while a listing walks
/// that whole table.
/// </summary>
sealed class SocketSampler : IDisposable
{
    /// <summary>Maximum number of sockets sampled.</summary>
    public const int MaxSockets = 1024;

    public const string Source = "sock_diag:tcp_info";

    const int ReceiveBytes = 1 << 16;

    // SK_MEMINFO_RCVBUF and SK_MEMINFO_SNDBUF, linux/sock_diag.h
    const int MemoryReceiveBuffer = 1 * sizeof(uint);
    const int MemorySendBuffer = 3 * sizeof(uint);

    readonly NetlinkSocket _netlink;
    readonly SocketListing _listing;
    readonly ConnectionSelector _selector;
    readonly SocketOwners _owners;
    // Read and added to while another thread samples.
    readonly ConcurrentDictionary<(Endpoint Local, Endpoint Remote), SampledSocket> _sockets = new();

    readonly byte[] _request = new byte[InetDiagRequest.Length];
    readonly byte[] _answers = new byte[ReceiveBytes];
    readonly StackEvent _event = new();
    bool _announcesAgain;

    /// <summary>Creates a sampler.</summary>
    /// <param name="netlink">Socket in the namespace; disposed with the sampler.</param>
    /// <param name="selector">Which connections.</param>
    /// <param name="owners">Finds the processes.</param>
    public SocketSampler(NetlinkSocket netlink, ConnectionSelector selector, SocketOwners owners)
    {
        _netlink = netlink;
        _listing = new(netlink);
        _selector = selector;
        _owners = owners;
    }

    /// <summary>Sockets that are not sampled because there are too many.</summary>
    public long Skipped { get; private set; }

    /// <summary>The segment size of a connection.</summary>
    /// <returns>Bytes; 0 when it is not known here.</returns>
    public uint FindMss(Endpoint local, Endpoint remote) => _sockets.TryGetValue((local, remote), out SampledSocket? socket) ? socket.Mss : 0;

    /// <summary>Lists the namespace's open sockets and adds those that match.</summary>
    public void Discover()
    {
        foreach (SocketEnds socket in _listing.Read())
        {
            Add(socket.Local, socket.Remote);
        }
    }

    /// <summary>Adds a socket that has just been opened, if it is in this namespace.</summary>
    public void Add(Endpoint local, Endpoint remote)
    {
        if (!_selector.Includes(local, remote) || _sockets.ContainsKey((local, remote)))
        {
            return;
        }

        if (_sockets.Count >= MaxSockets)
        {
            Skipped++;
            return;
        }

        var socket = new SampledSocket { Local = local, Remote = remote };
        socket.Identify();
        _sockets.TryAdd((local, remote), socket);
    }

    /// <summary>Repeats the first events of every socket, which name it and its owner; safe on any thread.</summary>
    public void AnnounceAgain() => Volatile.Write(ref _announcesAgain, value: true);

    /// <summary>Takes one sample of every socket.</summary>
    public void Sample(IStackEventSink sink)
    {
        bool again = Interlocked.Exchange(ref _announcesAgain, value: false);
        foreach ((_, SampledSocket socket) in _sockets)
        {
            if (again)
            {
                socket.IsAnnounced = false;
                socket.ProcessId = null;
            }

            if (!TrySample(socket, sink))
            {
                // Closed, in TIME-WAIT, or of another namespace.
                _sockets.TryRemove((socket.Local, socket.Remote), out _);
                _owners.Forget(socket.Inode);
            }
        }
    }

    public void Dispose() => _netlink.Dispose();

    bool TrySample(SampledSocket socket, IStackEventSink sink)
    {
        InetDiagRequest.WriteGet(_request, socket.Family, socket.SocketId, 0);
        if (!_netlink.TrySend(_request))
        {
            return false;
        }

        // The kernel has waited for the socket lock and filled in the answer just before the call returned.
        var time = new TraceTime(Libc.Now(Libc.ClockRealtime));
        var reader = new NetlinkReader(_answers.AsSpan(0, _netlink.Receive(_answers)));
        bool isAnswered = reader.TryRead(out ReadOnlySpan<byte> payload) && reader.Type == InetDiagRequest.TypeByFamily;
        if (!isAnswered || !InetDiagMessage.TryRead(payload, out InetDiagMessage message) || message.Info.IsEmpty)
        {
            return false;
        }

        // For a connection that is closed the kernel answers with the listening socket.
        if (message.State == TcpStates.LinuxListen)
        {
            return false;
        }

        Report(socket, message, time, sink);
        return true;
    }

    void Report(SampledSocket socket, InetDiagMessage message, TraceTime time, IStackEventSink sink)
    {
        socket.Mss = message.Info.SndMss;
        socket.Inode = message.Inode;
        if (!socket.IsAnnounced)
        {
            socket.IsAnnounced = true;
            socket.Identify(message.Family, message.SocketId);
            Fill(StackEventKind.ConnectionRundown, socket, message, time);
            _event.Text = Encoding.ASCII.GetString(message.CongestionControl);
            sink.Add(_event);
        }

        if (socket.ProcessId is null && _owners.TryFind(socket.Inode, out SocketOwner owner))
        {
            socket.ProcessId = owner.ProcessId;
            _event.Reset(StackEventKind.ProcessNamed, time, "proc");
            SetEnds(socket);
            _event.Text = owner.Name;
            sink.Add(_event);
        }

        Fill(StackEventKind.CwndSample, socket, message, time);
        sink.Add(_event);
    }

    void Fill(StackEventKind kind, SampledSocket socket, InetDiagMessage message, TraceTime time)
    {
        _event.Reset(kind, time, Source);
        SetEnds(socket);
        if (TcpStates.TryTranslate(message.State, out long state))
        {
            _event.Set(StackField.State, state);
        }

        message.Info.CopyTo(_event);
        _event.Set(StackField.ReceiveQueue, message.ReceiveQueue);
        ReadOnlySpan<byte> memory = message.Memory;
        if (memory.Length >= MemorySendBuffer + sizeof(uint))
        {
            _event.Set(StackField.ReceiveBuffer, BinaryPrimitives.ReadUInt32LittleEndian(memory[MemoryReceiveBuffer..]));
            _event.Set(StackField.SendBuffer, BinaryPrimitives.ReadUInt32LittleEndian(memory[MemorySendBuffer..]));
        }
    }

    void SetEnds(SampledSocket socket)
    {
        _event.Local = socket.Local;
        _event.Remote = socket.Remote;
        _event.ProcessId = socket.ProcessId;
    }
}

/// <summary>A socket that is sampled.</summary>
sealed class SampledSocket
{
    readonly byte[] _socketId = new byte[InetDiagRequest.SocketIdLength];

    public required Endpoint Local { get; init; }

    public required Endpoint Remote { get; init; }

    /// <summary>Its address family; changes when the kernel reports that an IPv4 connection uses an IPv6 socket.</summary>
    public byte Family { get; private set; }

    /// <summary>struct inet_diag_sockid.</summary>
    public ReadOnlySpan<byte> SocketId => _socketId;

    /// <summary>Largest payload of a segment sent, bytes; 0 before the first sample.</summary>
    public uint Mss { get; set; }

    /// <summary>Inode, by which its process is found; 0 before the first sample.</summary>
    public uint Inode { get; set; }

    /// <summary>Its process; null when not (yet) known.</summary>
    public uint? ProcessId { get; set; }

    /// <summary>Whether its first event was given out.</summary>
    public bool IsAnnounced { get; set; }

    /// <summary>Takes the identification from an answer of the kernel.</summary>
    /// <param name="family">Address family.</param>
    /// <param name="socketId">struct inet_diag_sockid.</param>
    public void Identify(byte family, ReadOnlySpan<byte> socketId)
    {
        Family = family;
        socketId.CopyTo(_socketId);
    }

    /// <summary>Makes the identification from the ends alone.</summary>
    public void Identify() => Family = InetDiagRequest.WriteSocketId(_socketId, Local, Remote);
}
