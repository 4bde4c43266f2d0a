using System;
using System.Collections.Generic;
using TcpDiag.Testing;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>
/// Traffic in which most segments go on where the one before ended, and one in a few does not, in any way: those that a header prediction must not take for
/// the next one differ in one thing only.
/// </summary>
/// <param name="seed">Of the choice.</param>
sealed class BulkTraffic(int seed)
{
    // Packets that a capture is watched for second capture points; until then nothing is predicted.
    const int Foreword = 1_100;

    const long Start = 1_700_000_000_000_000_000;
    const int Ends = 4; // of two connections
    readonly Random _random = new(seed);
    readonly List<(byte[] Bytes, long Time)> _frames = [];
    readonly End[] _ends = new End[Ends];
    long _now = Start;
    bool _hasTimestamps;
    bool _hasIds;
    bool _isOneWay; // servers only acknowledge, and little goes wrong

    /// <summary>Makes it.</summary>
    /// <param name="packets">Number of packets behind the first that belong to nobody.</param>
    /// <returns>Frames and their instants, nanoseconds.</returns>
    public IReadOnlyList<(byte[] Bytes, long Time)> Make(int packets)
    {
        _hasTimestamps = _random.Next(3) > 0;
        _hasIds = _random.Next(3) > 0;
        _isOneWay = _random.Next(2) > 0;
        for (int i = 0; i < Foreword; i++)
        {
            Add(new FrameBuilder().Udp(9, 9));
        }

        for (int end = 0; end < Ends; end++)
        {
            _ends[end] = new End { Next = (uint)_random.Next() * 2, Window = 60_000, Id = (ushort)_random.Next(1, 60_000) };
        }

        if (_random.Next(4) > 0)
        {
            Open(0);
            Open(2);
        }

        int from = 0;
        while (_frames.Count < Foreword + packets)
        {
            from = _random.Next(12) == 0 ? _random.Next(Ends) : from;
            Say(from);
        }

        return _frames;
    }

    void Open(int client)
    {
        int away = _random.Next(2) * 20_000_000; // ns: the capture is at the server, or at the client
        Add(Handshake(client, FrameBuilder.Syn));
        _now += 20_000_000 - away;
        _ends[client].Next++;
        Add(Handshake(client ^ 1, FrameBuilder.Syn | FrameBuilder.Ack));
        _ends[client ^ 1].Next++;
        _now += away;
        Add(Segment(client, FrameBuilder.Ack));
        _ends[client ^ 1].Acknowledged = _ends[client].Next;
        _ends[client].Acknowledged = _ends[client ^ 1].Next;
    }

    FrameBuilder Handshake(int from, byte flags) => Segment(from, flags).Mss(1460).WindowScale(4).SackPermitted();

    void Say(int from)
    {
        ref End sender = ref _ends[from];
        ref End receiver = ref _ends[from ^ 1];
        int what = _random.Next(_isOneWay ? 250 : 40);
        switch (_isOneWay && from % 2 > 0 ? what / 249 : what)
        {
            case 0:
                sender.Acknowledged += (uint)_random.Next(0, (int)Math.Min(receiver.Next - sender.Acknowledged, 5_000) + 1);
                Add(Segment(from, FrameBuilder.Ack)); // an acknowledgment, perhaps of nothing new
                break;
            case 1:
                sender.Window = (ushort)(_random.Next(4) == 0 ? 0 : _random.Next(65_536));
                break;
            case 2:
                sender.Next += (uint)_random.Next(3_000); // lost on the way
                sender.Id++;
                break;
            case 3:
                sender.Id += (ushort)_random.Next(5);
                break;
            case 4:
                Add(Segment(from, FrameBuilder.Ack, (uint)-_random.Next(3_000)).PayloadLength(_random.Next(1_448))); // sent again
                break;
            case 5:
                Send(ref sender, Segment(from, FrameBuilder.Ack), 1);
                break;
            case 6:
                Send(ref sender, Segment(from, FrameBuilder.Ack).Ecn((byte)_random.Next(4)), _random.Next(1, 1_448));
                break;
            case 7:
                Send(ref sender, Segment(from, (byte)(FrameBuilder.Ack | (1 << _random.Next(8)))), _random.Next(1_448));
                break;
            case 8:
                uint edge = receiver.Next + (uint)_random.Next(100);
                Add(Segment(from, FrameBuilder.Ack).TcpOptionBytes(1, 1).Sack(edge, edge + 1_448));
                break;
            case 9:
                _now += _random.Next(6) switch
                {
                    0 => 4_000_000_000,
                    1 => -2_000_000_000, // the clock was set
                    _ => _random.Next(-60_000_000, 400_000_000),
                };
                break;
            case 10:
                Send(ref sender, Segment(from, FrameBuilder.Ack).TcpOptionBytes(1, 1, 1, 1), _random.Next(1_448));
                break;
            case 11:
                sender.Acknowledged = receiver.Next; // with the next data
                break;
            case 12:
                Send(ref sender, Bare(from, FrameBuilder.Ack), 1_448);
                Send(ref sender, Bare(from, FrameBuilder.Ack), 1_448);
                Send(ref sender, Bare(from, FrameBuilder.Ack), 1_448);
                break;
            default:
                byte flags = (byte)(FrameBuilder.Ack | (_random.Next(4) == 0 ? FrameBuilder.Psh : 0));
                Send(ref sender, Segment(from, flags), _random.Next(5) == 0 ? _random.Next(2, 9_000) : 1_448);
                break;
        }
    }

    void Send(ref End sender, FrameBuilder frame, int payload)
    {
        Add(frame.PayloadLength(payload));
        sender.Next += (uint)payload;
    }

    FrameBuilder Segment(int from, byte flags, uint offset = 0)
    {
        FrameBuilder frame = Bare(from, flags, offset);
        uint clock = (uint)(_now / 1_000_000);
        ref uint echo = ref _ends[from].Echo;
        echo = _random.Next(16) == 0 ? clock - 20 : echo;
        return _hasTimestamps ? frame.TcpOptionBytes(1, 1).Timestamps(clock, echo) : frame;
    }

    FrameBuilder Bare(int from, byte flags, uint offset = 0)
    {
        ref End sender = ref _ends[from];
        ushort port = (ushort)(40_000 + (from / 2));
        bool isClient = from % 2 == 0;
        return new FrameBuilder()
            .Ip(isClient ? "10.0.0.1" : "192.0.2.9", isClient ? "192.0.2.9" : "10.0.0.1", id: _hasIds ? sender.Id++ : (ushort)0)
            .Tcp(isClient ? port : (ushort)443, isClient ? (ushort)443 : port)
            .Seq(sender.Next + offset).AckNumber(sender.Acknowledged).Flags(flags).Window(sender.Window);
    }

    void Add(FrameBuilder frame)
    {
        _now += _random.Next(40_000);
        _frames.Add((frame.Build(), _now));
    }

    struct End
    {
        public uint Next;
        public uint Acknowledged;
        public uint Echo;
        public ushort Window;
        public ushort Id;
    }
}
