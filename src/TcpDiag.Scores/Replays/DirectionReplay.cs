using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Congestion;
using TcpDiag.Scores.Counterfactuals;
using TcpDiag.Scores.Losses;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Replays;

/// <summary>
/// Replays a reference sender over what one end of a connection sent and what came back for it: at each instant it holds true what the reference would have.
/// The reference never sends and its retransmission and probe timers never expire, because what is sent is in the trace; its reordering timer does. Memory is
/// bounded by what is in flight, and that by <see cref="MaxOutstanding"/>; allocates nothing per packet once grown.
/// </summary>
sealed class DirectionReplay
{
    /// <summary>Segments in flight beyond which a direction is not scored: 24 MB of full segments.</summary>
    public const int MaxOutstanding = 1 << 14;

    // Each acknowledgment with SACK blocks walks the scoreboard: so many segments in all take less than a minute.
    const long MaxWalked = 10_000_000_000;

    // A segment that the capture lacks was sent right before the next one; of more than these many bytes too little is known.
    const int MaxGapBytes = 1 << 20;
    const int MaxUnseenPerThousand = 10;

    readonly IReplayMeasure[] _measures;
    long _walked;
    long _bytes;
    long _unseenBytes;

    /// <summary>Begins.</summary>
    /// <param name="opening">What the handshake agreed on.</param>
    /// <param name="measures">Who measures.</param>
    public DirectionReplay(in ReplayOpening opening, IReplayMeasure[] measures)
    {
        Opening = opening;
        _measures = measures;
        Reference = new Sender(ReferenceTraits(opening), opening.Smss, opening.FirstByte, opening.Window, opening.SynRetransmissions);
        if (opening.RttNanos > 0)
        {
            Reference.OnHandshakeRtt(opening.Established, opening.RttNanos);
        }
    }

    /// <summary>What the handshake agreed on.</summary>
    public ReplayOpening Opening { get; }

    /// <summary>The reference.</summary>
    public Sender Reference { get; }

    /// <summary>Why the replay ended early; null while it goes on.</summary>
    public string? Obstacle { get; private set; }

    /// <summary>Data segments the sender sent, offloaded ones cut at SMSS.</summary>
    public long Segments { get; private set; }

    /// <summary>Of these, sent before.</summary>
    public long Retransmissions { get; private set; }

    /// <summary>DSACKs that came back (RFC 2883 §4).</summary>
    public int Dsacks { get; private set; }

    /// <summary>Why what was replayed cannot be relied on; null when it can.</summary>
    public string? Doubt => Obstacle ?? (_unseenBytes * 1_000 > _bytes * MaxUnseenPerThousand ? "the capture lacks part of the data that was sent" : null);

    /// <summary>The end sent data.</summary>
    public void OnSent(in Segment segment)
    {
        if (Obstacle is not null || segment.Sent.Kind is SentKind.None or SentKind.KeepAlive or SentKind.Copy or SentKind.Foreign)
        {
            return;
        }

        AdvanceTo(segment.Time);
        FillGap(segment);
        ReplayedSegment sent = new(
            segment.Start, segment.Length, segment.Time, segment.PacketNumber, segment.Sent.Trigger, segment.Start < Reference.SndNxt);
        foreach (IReplayMeasure measure in _measures)
        {
            measure.OnSending(this, sent);
        }

        _bytes += segment.Length;
        Segments += segment.Sent.WireSegments; // none of a FIN alone
        Retransmissions += segment.Sent.Retransmitted;
        Reference.OnSegmentSent(segment.Start, segment.Length, segment.Time, segment.TsVal);
        if (Reference.Board.Count > MaxOutstanding)
        {
            Obstacle = $"more than {MaxOutstanding} segments were in flight";
        }
    }

    /// <summary>An acknowledgment came back.</summary>
    public void OnAckReceived(in Segment segment)
    {
        if (Obstacle is not null)
        {
            return;
        }

        AckArrival ack = ArrivalOf(segment);
        if (ack.Una > Reference.SndNxt)
        {
            Obstacle = $"packet {segment.PacketNumber} acknowledges data that was not captured";
            return;
        }

        AdvanceTo(ack.Now);
        Dsacks += ack.IsDsack ? 1 : 0;
        _walked += Reference.Board.SackedSegments > 0 || ack.BlockCount > 0 ? Reference.Board.Count : 1;
        Reference.OnAckReceived(ack);
        foreach (IReplayMeasure measure in _measures)
        {
            measure.OnAckReceived(this, ack, segment.PacketNumber);
        }

        if (_walked > MaxWalked)
        {
            Obstacle = "too many segments were in flight for too long";
        }
    }

    /// <summary>It is known whether a retransmission was needed.</summary>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
        foreach (IReplayMeasure measure in _measures)
        {
            measure.OnVerdict(item, need);
        }
    }

    /// <summary>Gives what was measured.</summary>
    /// <param name="slowStart">How the analysis saw slow start end; null where no round trip of it was seen.</param>
    /// <param name="components">Gets the components.</param>
    public void Measure(SlowStartSummary? slowStart, List<ScoreComponent> components)
    {
        foreach (IReplayMeasure measure in _measures)
        {
            measure.Measure(this, slowStart, components);
        }
    }

    /// <summary>How the sender detects losses; null where nobody looked.</summary>
    public Fingerprint? Fingerprint => MeasureOf<LossMeasure>()?.Fingerprint(Opening.HasSack, Reference.ReorderingSeen);

    /// <summary>Which congestion control it has, once measured; null where nobody looked.</summary>
    public ControlFingerprint? Control => MeasureOf<CongestionMeasure>()?.Control;

    /// <summary>What the path did; null where nobody looked, and without SACK, where a trace does not show which segments arrived.</summary>
    public PathEstimate? Path => Opening.HasSack && MeasureOf<PathMeasure>() is { } measure ? PathEstimate.Of(measure.Segments) : null;

    /// <summary>What the sender is known by.</summary>
    public SenderFacts Facts() => new(
        Segments, Retransmissions, Dsacks, Opening.HasSack, Opening.HasTimestamps, Opening.Smss, Reference.MinRttNanos, Reference.SrttNanos,
        Reference.ReorderingSeen, MeasureOf<LossMeasure>()?.Overtaken.Trials ?? 0, MeasureOf<LossMeasure>()?.Overtaken.Misses ?? 0);

    // Without SACK there is no RACK either (RFC 8985 §4).
    static SenderTraits ReferenceTraits(in ReplayOpening opening) => new()
    {
        HasTimestamps = opening.HasTimestamps,
        Detection = opening.HasSack ? LossDetection.Rack : LossDetection.NewReno,
    };

    T? MeasureOf<T>()
        where T : class, IReplayMeasure => Array.Find(_measures, one => one is T) as T;

    void AdvanceTo(TraceTime now)
    {
        while (Reference.Timer == TimerKind.Reordering && Reference.NextTimer <= now)
        {
            TraceTime due = Reference.NextTimer;
            Reference.OnTimer(due, tsVal: 0, out _);
            foreach (IReplayMeasure measure in _measures)
            {
                measure.OnReorderingTimer(this, due);
            }
        }
    }

    void FillGap(in Segment segment)
    {
        int gap = segment.Start - Reference.SndNxt;
        if (gap > MaxGapBytes || gap / Opening.Smss > MaxOutstanding)
        {
            Obstacle = $"the capture lacks what was sent before packet {segment.PacketNumber}";
        }
        else if (gap > 0)
        {
            _unseenBytes += gap;
            Reference.OnSegmentSent(Reference.SndNxt, gap, segment.Time, segment.TsVal);
        }
    }

    static AckArrival ArrivalOf(in Segment segment)
    {
        AckArrival ack = new()
        {
            Now = segment.Time,
            Una = segment.Ack.Number,
            Window = segment.Ack.IsWindowKnown ? (int)Math.Min(segment.Ack.Window, int.MaxValue / 2) : int.MaxValue / 2,
            TsEcr = segment.Ack.TsEcr,
            HasTimestamps = segment.Ack.TsEcr != 0,
            IsDuplicate = segment.Ack.IsDuplicate,
            HasEcnEcho = (segment.Flags & TcpFlags.Ece) != 0,
        };
        for (int i = 0; i < segment.Ack.Sack.Count; i++)
        {
            ack.Add(segment.Ack.Sack[i]);
        }

        return ack;
    }
}

/// <summary>What a sender's handshake agreed on.</summary>
/// <param name="Smss">Payload of a full segment, bytes.</param>
/// <param name="FirstByte">Sequence number of its first byte of data.</param>
/// <param name="Window">The receive window at the beginning, bytes.</param>
/// <param name="HasSack">Whether both ends permit SACK.</param>
/// <param name="HasTimestamps">Whether both ends use timestamps.</param>
/// <param name="Established">When the first data was sent.</param>
/// <param name="RttNanos">RTT of the handshake from this end, ns; 0 when it was not measured.</param>
/// <param name="SynRetransmissions">SYNs and SYN-ACKs sent again.</param>
readonly record struct ReplayOpening(
    int Smss, SequenceNumber FirstByte, int Window, bool HasSack, bool HasTimestamps, TraceTime Established, long RttNanos, int SynRetransmissions);
