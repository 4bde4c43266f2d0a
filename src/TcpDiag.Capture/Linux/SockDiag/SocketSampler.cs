using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// Samples the TCP sockets of one network namespace. Sockets become known by a listing now and then, and by the event
/// of their opening; each sample asks for them one by one, which the kernel finds in a hash table, while a listing walks
/// over that whole table.
/// </summary>
sealed class SocketSampler : IDisposable
{
    /// <summary>So many sockets are sampled at most.</summary>
    public const int MaxSockets = 1024;

    /// <summary>Name of the samples' source.</summary>
    public const string Source = "sock_diag:tcp_info";

    const int RequestsPerSend = 32;
    const int ReceiveBytes = 1 << 16;

    // SK_MEMINFO_RCVBUF and SK_MEMINFO_SNDBUF, linux/sock_diag.h
    const int MemoryReceiveBuffer = 1 * sizeof(uint);
    const int MemorySendBuffer = 3 * sizeof(uint);

    readonly NetlinkSocket _netlink;
    readonly SocketListing _listing;
    readonly ConnectionSelector _selector;
    readonly SocketOwners _owners;
    readonly Dictionary<(Endpoint Local, Endpoint Remote), SampledSocket> _sockets = [];
    readonly List<SampledSocket> _batch = [];
    readonly List<(Endpoint Local, Endpoint Remote)> _gone = [];
    readonly byte[] _requests = new byte[RequestsPerSend * InetDiagRequest.Length];
    readonly byte[] _answers = new byte[ReceiveBytes];
    readonly StackEvent _event = new();

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
    /// <param name="local">Its own end.</param>
    /// <param name="remote">The peer's end.</param>
    /// <returns>Bytes; 0 when it is not known here.</returns>
    public uint FindMss(Endpoint local, Endpoint remote) => _sockets.GetValueOrDefault((local, remote))?.Mss ?? 0;

    /// <summary>Lists the namespace's open sockets and takes up those asked for.</summary>
    public void Discover()
    {
        foreach (SocketEnds socket in _listing.Read())
        {
            Add(socket.Local, socket.Remote);
        }
    }

    /// <summary>Takes up a socket that has just been opened, if it is in this namespace.</summary>
    /// <param name="local">Its own end.</param>
    /// <param name="remote">The peer's end.</param>
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
        _sockets.Add((local, remote), socket);
    }

    /// <summary>Takes one sample of every socket.</summary>
    /// <param name="sink">Takes the events.</param>
    public void Sample(IStackEventSink sink)
    {
        foreach (SampledSocket socket in _sockets.Values)
        {
            InetDiagRequest.WriteGet(_requests.AsSpan(_batch.Count * InetDiagRequest.Length), socket.Family, socket.SocketId, (uint)_batch.Count);
            _batch.Add(socket);
            if (_batch.Count == RequestsPerSend)
            {
                SendBatch(sink);
            }
        }

        SendBatch(sink);
        foreach ((Endpoint Local, Endpoint Remote) ends in _gone)
        {
            if (_sockets.Remove(ends, out SampledSocket? socket))
            {
                _owners.Forget(socket.Inode);
            }
        }

        _gone.Clear();
    }

    /// <inheritdoc/>
    public void Dispose() => _netlink.Dispose();

    void SendBatch(IStackEventSink sink)
    {
        long before = Libc.Now(Libc.ClockRealtime);
        if (_batch.Count > 0 && _netlink.TrySend(_requests.AsSpan(0, _batch.Count * InetDiagRequest.Length)))
        {
            // The kernel has filled in all answers within the call.
            var time = new TraceTime(before + ((Libc.Now(Libc.ClockRealtime) - before) / 2));
            int length;
            while ((length = _netlink.Receive(_answers)) > 0)
            {
                ReadAnswers(_answers.AsSpan(0, length), time, sink);
            }
        }

        _batch.Clear();
    }

    void ReadAnswers(ReadOnlySpan<byte> datagram, TraceTime time, IStackEventSink sink)
    {
        var reader = new NetlinkReader(datagram);
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            if (reader.Sequence >= _batch.Count)
            {
                continue;
            }

            SampledSocket socket = _batch[(int)reader.Sequence];
            if (reader.Type == InetDiagRequest.TypeByFamily && InetDiagMessage.TryRead(payload, out InetDiagMessage message) && !message.Info.IsEmpty)
            {
                Report(socket, message, time, sink);
            }
            else
            {
                // Closed, in TIME-WAIT, or of another namespace.
                _gone.Add((socket.Local, socket.Remote));
            }
        }
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
