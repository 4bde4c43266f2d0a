using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// Packets of this host (or of the calling thread's namespace), or those it forwards between two interfaces, through NFQUEUE
/// (linux/netfilter/nfnetlink_queue.h); which way one goes is for its <see cref="IQueueHooks"/> to say. It fails open: with the process gone, or its queue
/// full, packets pass as if it did not exist, and are counted. A copy of a packet that leaves is sent by a raw socket; one of a packet for this host cannot be
/// made and is counted as lost.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class QueuePort : IPacketPort
{
    const ushort Subsystem = 3 << 8;
    const ushort PacketMessage = Subsystem | 0;
    const ushort VerdictMessage = Subsystem | 1;
    const ushort ConfigMessage = Subsystem | 2;
    const ushort PacketHeader = 1;  // NFQA_PACKET_HDR: id, protocol, hook
    const ushort VerdictHeader = 2; // NFQA_VERDICT_HDR: verdict, id
    const ushort InDevice = 5;      // NFQA_IFINDEX_INDEV
    const ushort OutDevice = 6;     // NFQA_IFINDEX_OUTDEV
    const ushort Payload = 10;      // NFQA_PAYLOAD
    const ushort ConfigCommand = 1; // NFQA_CFG_CMD
    const ushort ConfigCopy = 2;    // NFQA_CFG_PARAMS
    const ushort ConfigLength = 3;  // NFQA_CFG_QUEUE_MAXLEN
    const ushort ConfigMask = 4;    // NFQA_CFG_MASK: which flags are set
    const ushort ConfigFlags = 5;   // NFQA_CFG_FLAGS
    const uint Drop = 0;
    const uint Accept = 1;
    const uint FailOpen = 1;

    // More than the emulator holds and the socket's buffer takes, so that it is always the buffer that is full first: a packet that finds it full has
    // a number already, by which it is missed. One that finds the queue full leaves no trace anywhere.
    const uint QueueLength = 1 << 20;

    const int MaxPacketBytes = 65_535;
    const int HeaderBytes = 20;

    // Columns of /proc/net/netfilter/nfnetlink_queue: the queue was full, or the socket's buffer.
    const int QueueDropColumn = 5;
    const int UserDropColumn = 6;

    // The number given last.
    const int SequenceColumn = 7;

    readonly NetlinkSocket _socket = NetlinkSocket.OpenForPackets(NetlinkSocket.Netfilter);
    readonly ProcTable _statistics = new("netfilter/nfnetlink_queue");
    readonly NetlinkWriter _writer = new(MaxPacketBytes + 1024);
    readonly byte[] _datagram = new byte[MaxPacketBytes + 4096];
    readonly ushort _queue;
    readonly MatchRule _match;
    readonly byte[] _row;
    readonly QueueRules _rules;
    readonly RawSender _copies;
    readonly ProcessLookup? _processes;
    readonly IQueueHooks _hooks;
    bool _meansEitherEnd;
    uint _lastId;
    uint _finalId;
    long _bypassed;
    long _refused;

    /// <summary>Opens a queue and sends this host's packets there.</summary>
    /// <param name="queue">The queue's number; nothing else may use it.</param>
    /// <param name="match">Which packets; the kernel takes a little more where it cannot test all of it.</param>
    /// <param name="loopbackNear">The near end of what this host sends itself; null for the one with the higher port.</param>
    /// <exception cref="PlatformException">The system refused.</exception>
    public QueuePort(ushort queue, MatchRule match, LoopbackEnd? loopbackNear = null)
        : this(queue, match, port => new HostHooks(match, loopbackNear, port.Matches))
    {
        Notes = HostBridges.Notes();
    }

    QueuePort(ushort queue, MatchRule match, Func<QueuePort, IQueueHooks> hooks)
    {
        // "TD" and the queue's number: marks our own copies.
        uint mark = 0x5444_0000u | queue;
        _queue = queue;
        _match = match;
        _hooks = hooks(this);
        _row = Encoding.ASCII.GetBytes(queue.ToString(CultureInfo.InvariantCulture));
        try
        {
            Configure();
            _processes = match.NamesProcess ? new ProcessLookup(match) : null;
            _copies = new RawSender(mark);
            _rules = new QueueRules($"tcpdiag_{queue}", queue, mark, _hooks.Chains(QueueFilter.Translate(match)));
        }
        catch (PlatformException)
        {
            _copies?.Dispose();
            _processes?.Dispose();
            _statistics.Dispose();
            _socket.Dispose();
            throw;
        }
    }

    /// <summary>Opens a queue and sends there what this host forwards between two interfaces.</summary>
    /// <param name="queue">The queue's number; nothing else may use it.</param>
    /// <param name="match">Which packets.</param>
    /// <param name="near">The interface from which packets go out, to the far one.</param>
    /// <param name="far">The other interface.</param>
    /// <returns>The port.</returns>
    /// <exception cref="PlatformException">The system refused, or this host forwards nothing between the two.</exception>
    public static QueuePort ForRoute(ushort queue, MatchRule match, string near, string far)
    {
        ForwardedPair pair = ForwardedPair.Find(near, far);
        return new QueuePort(queue, match, _ => new RouteHooks(pair.Near, pair.Far)) { Notes = pair.Notes };
    }

    /// <inheritdoc/>
    public long Lost => _statistics.Read(_row, QueueDropColumn) + _statistics.Read(_row, UserDropColumn) + Volatile.Read(ref _refused);

    /// <inheritdoc/>
    public void Wait(long timeoutNanos) => _socket.Wait(Math.Max(0, timeoutNanos));

    /// <inheritdoc/>
    public long Bypassed => Volatile.Read(ref _bypassed);

    /// <summary>Packets of the match that this port met but cannot emulate; what the kernel loses it counts.</summary>
    public string? Doubt => _hooks.Doubt;

    /// <inheritdoc/>
    public IReadOnlyList<string> Notes { get; private init; } = [];

    /// <inheritdoc/>
    public int Receive(Span<byte> buffer, out PacketOrigin origin)
    {
        while (true)
        {
            origin = default;
            int length = _socket.Receive(_datagram);
            if (length == 0)
            {
                CountBypassed(_finalId, isReceived: false);
                return 0;
            }

            ReadOnlySpan<byte> packet = Parse(_datagram.AsSpan(0, length), out uint id, out HookPlace place);
            CountBypassed(id, isReceived: true);
            if (!packet.IsEmpty && TryTake(packet, buffer, id, in place, out origin))
            {
                return packet.Length;
            }
        }
    }

    /// <summary>Does nothing: the kernel has calculated every checksum.</summary>
    public void Prepare(Span<byte> packet, ref PacketOrigin origin)
    {
    }

    /// <inheritdoc/>
    public void Finish()
    {
        _rules.Clear();
        _finalId = (uint)_statistics.Read(_row, SequenceColumn);
    }

    /// <inheritdoc/>
    public void Attribute(ref PacketFacts facts) => _processes?.Attribute(ref facts, _meansEitherEnd);

    /// <inheritdoc/>
    public void Complete(ReadOnlySpan<byte> packet, in PacketOrigin origin, bool isFirst)
    {
        bool taken = isFirst
            ? Answer(origin.Id, packet.IsEmpty ? Drop : Accept, packet)
            : origin.Interface != 0 && _copies.Send(packet); // the interface it goes to
        Volatile.Write(ref _refused, _refused + (taken ? 0 : 1));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _rules.Dispose();
        _processes?.Dispose();
        _statistics.Dispose();
        _socket.Dispose();
        _copies.Dispose();
    }

    bool Matches(PacketFacts facts)
    {
        _meansEitherEnd = false;
        Attribute(ref facts);
        return _match.Matches(in facts);
    }

    // A packet that is not for the emulator is let pass at once.
    bool TryTake(ReadOnlySpan<byte> packet, Span<byte> buffer, uint id, in HookPlace place, out PacketOrigin origin)
    {
        origin = default;
        bool fits = packet.TryCopyTo(buffer);
        if (fits && _hooks.TryFindDirection(in place, buffer[..packet.Length], out LinkDirection direction))
        {
            _meansEitherEnd = _hooks.MeansEitherEnd(in place);
            origin = new PacketOrigin(direction, id, place.OutDevice);
            return true;
        }

        Volatile.Write(ref _bypassed, _bypassed + (fits ? 0 : 1));
        Answer(id, Accept, []);
        return false;
    }

    // The packet of a message, and where it was met; empty for any other message.
    static ReadOnlySpan<byte> Parse(ReadOnlySpan<byte> message, out uint id, out HookPlace place)
    {
        ReadOnlySpan<byte> packet = [];
        id = 0;
        place = default;
        bool isPacket = message.Length >= HeaderBytes && MemoryMarshal.Read<ushort>(message[4..]) == PacketMessage;
        var attributes = new NetlinkAttributes(isPacket ? message[HeaderBytes..] : []);
        while (attributes.TryRead(out int type, out ReadOnlySpan<byte> value))
        {
            switch (type)
            {
                case PacketHeader when value.Length >= 7:
                    id = BinaryPrimitives.ReadUInt32BigEndian(value);
                    place = place with { Hook = value[6] };
                    break;
                case InDevice when value.Length >= 4:
                    place = place with { InDevice = BinaryPrimitives.ReadUInt32BigEndian(value) };
                    break;
                case OutDevice when value.Length >= 4:
                    place = place with { OutDevice = BinaryPrimitives.ReadUInt32BigEndian(value) };
                    break;
                case Payload:
                    packet = value;
                    break;
                default:
                    break;
            }
        }

        return packet;
    }

    // Numbers are given without a gap, before a packet finds the buffer full, and messages come in their order: a number left out is a packet that passed.
    void CountBypassed(uint id, bool isReceived)
    {
        int given = (int)(id - _lastId);
        if (id != 0 && given > 0)
        {
            Volatile.Write(ref _bypassed, _bypassed + given - (isReceived ? 1 : 0));
            _lastId = id;
        }
    }

    bool Answer(uint id, uint verdict, ReadOnlySpan<byte> packet)
    {
        Span<byte> header = stackalloc byte[8];
        BinaryPrimitives.WriteUInt32BigEndian(header, verdict);
        BinaryPrimitives.WriteUInt32BigEndian(header[4..], id);
        _writer.Clear();
        _writer.Begin(VerdictMessage, 0, 0, _queue);
        _writer.Put(VerdictHeader, header);
        if (!packet.IsEmpty)
        {
            _writer.Put(Payload, packet);
        }

        _writer.End();
        return _socket.TrySend(_writer.Written);
    }

    void Configure()
    {
        // Bind the queue; copy whole packets; fail open when it is full.
        Configure(ConfigCommand, [1, 0, 0, 0]);
        Configure(ConfigCopy, [0, 0, 0xFF, 0xFF, 2]);
        Span<byte> number = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(number, QueueLength);
        Configure(ConfigLength, number);
        BinaryPrimitives.WriteUInt32BigEndian(number, FailOpen);
        _writer.Clear();
        _writer.Begin(ConfigMessage, NetlinkWriter.Acknowledge, 0, _queue);
        _writer.Put(ConfigMask, number);
        _writer.Put(ConfigFlags, number);
        _writer.End();
        Request();
    }

    void Configure(ushort attribute, ReadOnlySpan<byte> value)
    {
        _writer.Clear();
        _writer.Begin(ConfigMessage, NetlinkWriter.Acknowledge, 0, _queue);
        _writer.Put(attribute, value);
        _writer.End();
        Request();
    }

    void Request() => _socket.Request(_writer.Written, _writer.Sequence, _writer.Sequence, $"open packet queue {_queue}");
}
