using System.Collections.Generic;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Generation;

/// <summary>
/// Made-up traffic as its senders' side would capture it, told packet by packet and kept nowhere: for measures of speed and memory on more packets than one
/// would store, with every loss and reordering known. A flight takes three beats of 25 ms, a round trip each: its segments; their acknowledgments, and what
/// these make the sender resend; the acknowledgment of that. In each beat all connections have their turn, so that neighbours in the trace belong to
/// different ones.
/// </summary>
/// <param name="plan">What it holds.</param>
sealed class SyntheticTrace(TrafficPlan plan) : TraceReader
{
    /// <summary>Segments of a flight.</summary>
    public const int FlightSegments = 8;

    const int Beats = 3;
    const long BeatNs = 25_000_000;
    const int SlotsPerTurn = 32; // more than a connection says in one beat
    const long StartNs = 1_700_000_000_000_000_000;
    const uint MillisecondNs = 1_000_000;
    const uint ServerIsn = 77;

    readonly SyntheticFrame _frame = new(plan.Clients);
    readonly long[] _fates = new long[4];
    long _packets;
    int _round; // 0: handshake; then the flights; then the end
    int _beat;
    int _connection;
    int _index;
    Fate _fate;
    int _hole;

    /// <summary>Flights of a fate so far.</summary>
    public long FlightsOf(Fate fate) => _fates[(int)fate];

    public override string Path => "synthetic";

    public override TraceFormat Format => TraceFormat.Pcapng;

    public override IReadOnlyList<TraceInterface> Interfaces { get; } = [new TraceInterface { Index = 0, LinkType = LinkType.Ethernet }];

    public override SystemFacts System { get; } = new();

    public override IReadOnlyList<TraceProblem> Problems => [];

    public override long RecordsRead => _packets;

    bool IsOpening => _round == 0;

    bool IsClosing => _round > plan.Flights;

    public override bool TryRead(ref TraceRecord record)
    {
        while (_index == Packets())
        {
            if (!NextTurn())
            {
                return false;
            }
        }

        long slot = (((long)_connection * SlotsPerTurn) + _index) * BeatNs / ((long)plan.Connections * SlotsPerTurn);
        long now = (((long)_round * Beats) + _beat) * BeatNs + slot;
        SyntheticSegment segment = Segment(_index++);
        segment.Timestamp = (uint)(now / MillisecondNs);
        _frame.Write(_connection, segment);
        _packets++;
        record.Kind = TraceRecordKind.Packet;
        record.Time = new TraceTime(StartNs + now);
        record.Data = _frame.Headers;
        record.OriginalLength = _frame.FrameLength;
        record.LinkType = LinkType.Ethernet;
        return true;
    }

    protected override void Dispose(bool disposing)
    {
    }

    bool NextTurn()
    {
        _index = 0;
        _connection++;
        if (_connection == plan.Connections)
        {
            _connection = 0;
            _beat++;
            _round += _beat / Beats;
            _beat %= Beats;
        }

        Choose();
        return _round <= plan.Flights + 1;
    }

    // The same choice in each beat of a flight: by a hash of seed, connection and round (the finaliser of MurmurHash3).
    void Choose()
    {
        if (IsOpening || IsClosing)
        {
            return;
        }

        ulong hash = plan.Seed + ((ulong)_connection << 32) + (ulong)_round;
        hash = (hash ^ (hash >> 33)) * 0xFF51_AFD7_ED55_8CCD;
        hash = (hash ^ (hash >> 33)) * 0xC4CE_B9FE_1A85_EC53;
        hash ^= hash >> 33;
        int lot = (int)(hash % 1000) - plan.LossPerMille;
        _fate = lot < 0 ? Fate.Loss
            : lot < plan.ReorderingPerMille ? Fate.Reordering
            : lot < plan.ReorderingPerMille + plan.SpuriousPerMille ? Fate.Spurious
            : Fate.Clean;
        _hole = (int)((hash >> 32) % (FlightSegments - 4)); // four segments behind it at least
        _fates[(int)_fate] += _beat == 0 ? 1 : 0;
    }

    // Packets of the connection in this beat.
    int Packets()
    {
        if (IsOpening || IsClosing)
        {
            return _beat < 2 ? _beat + 1 : 0;
        }

        return _beat switch
        {
            0 => FlightSegments,
            1 when _fate == Fate.Clean => FlightSegments / 2,
            1 => _fate == Fate.Spurious ? FlightSegments + 1 : FlightSegments,
            _ => _fate is Fate.Loss or Fate.Spurious ? 1 : 0,
        };
    }

    SyntheticSegment Segment(int index)
    {
        if (IsOpening || IsClosing)
        {
            return OfHandshake(index);
        }

        return _beat switch
        {
            0 => Data(index),
            1 => Answer(index),
            _ when _fate == Fate.Spurious => Server(Begin(FlightSegments), Block(_hole, _hole + 1), 2), // of the second arrival
            _ => Server(Begin(FlightSegments), null, 1),
        };
    }

    // SYN, SYN-ACK, ACK; or FIN, FIN, ACK: what answers the other end comes at once.
    SyntheticSegment OfHandshake(int index)
    {
        TcpFlags flags = IsOpening ? TcpFlags.Syn : TcpFlags.Fin | TcpFlags.Ack;
        int done = IsOpening ? 0 : (plan.Flights * FlightSegments * SyntheticFrame.SegmentBytes) + 1;
        return (_beat, index) switch
        {
            (0, _) => Client(done, flags, 0) with { Acknowledgment = new(IsOpening ? 0 : ServerIsn + 1) },
            (_, 0) => Server(done + 1, null, 1) with { Flags = flags | TcpFlags.Ack, Sequence = new(IsOpening ? ServerIsn : ServerIsn + 1) },
            _ => Client(done + 1, TcpFlags.Ack, 0) with { Acknowledgment = new(IsOpening ? ServerIsn + 1 : ServerIsn + 2) },
        };
    }

    SyntheticSegment Data(int segment) => Client(Begin(segment), TcpFlags.Ack, SyntheticFrame.SegmentBytes);

    // The acknowledgments of the second beat: of every second segment where all is well, else of each.
    SyntheticSegment Answer(int index)
    {
        if (_fate == Fate.Clean)
        {
            return Server(Begin(2 * (index + 1)), null, 1);
        }

        if (index < _hole)
        {
            return Server(Begin(index + 1), null, 1);
        }

        if (_fate != Fate.Reordering && index >= FlightSegments - 1)
        {
            return index == FlightSegments ? Server(Begin(FlightSegments), null, 1) : Data(_hole); // the late original, behind the resending
        }

        int overtook = index + 1; // the segment behind the hole that this one answers
        bool isFilled = _fate == Fate.Reordering && index >= _hole + 2;
        return isFilled ? Server(Begin(index + 1), null, 1) : Server(Begin(_hole), Block(_hole + 1, overtook + 1), 1);
    }

    // Bytes of the client's stream before a segment of this flight, the SYN included.
    int Begin(int segment) => 1 + ((((_round - 1) * FlightSegments) + segment) * SyntheticFrame.SegmentBytes);

    SackBlock Block(int first, int end) => new(Isn() + Begin(first), Isn() + Begin(end));

    // Near the wrap for some of the connections.
    SequenceNumber Isn() => new(unchecked((uint)_connection * 2_654_435_761));

    SyntheticSegment Client(int offset, TcpFlags flags, int payload) =>
        new() { Flags = flags, Sequence = Isn() + offset, Acknowledgment = new(ServerIsn + 1), Payload = payload };

    // Echoes the timestamp of what was sent so many beats ago.
    SyntheticSegment Server(int acknowledged, SackBlock? sack, int beatsAgo)
    {
        long sent = (((long)_round * Beats) + _beat - beatsAgo) * BeatNs + ((long)_connection * BeatNs / plan.Connections);
        return new()
        {
            IsFromServer = true,
            Flags = TcpFlags.Ack,
            Sequence = new(ServerIsn + 1),
            Acknowledgment = Isn() + acknowledged,
            Sack = sack,
            Echo = (uint)(sent / MillisecondNs),
        };
    }
}
