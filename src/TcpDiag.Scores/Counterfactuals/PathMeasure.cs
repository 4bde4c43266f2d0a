using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Replays;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Counterfactuals;

/// <summary>Records what became of each segment that a sender sent, as far as its own trace shows it: when it arrived, or that it was lost.</summary>
sealed class PathMeasure : IReplayMeasure
{
    /// <summary>Segments that are recorded, the first ones: 95 MB of full segments. Those behind them are taken to fare alike.</summary>
    public const int MaxSegments = 1 << 16;

    // An answer that comes sooner after a retransmission than this share of a round trip is the original's.
    const double MinShareOfRtt = 0.8;

    readonly Dictionary<SequenceNumber, int> _latest = [];

    /// <summary>In the order they were sent, retransmissions among them.</summary>
    public List<SegmentFate> Segments { get; } = [];

    /// <summary>Bytes the sender sent, each once.</summary>
    public long Bytes { get; private set; }

    /// <inheritdoc/>
    public void OnSending(DirectionReplay replay, in ReplayedSegment segment)
    {
        Bytes += segment.End > replay.Reference.SndNxt ? segment.End - replay.Reference.SndNxt : 0;
        for (SequenceNumber seq = segment.Seq; seq < segment.End && Segments.Count < MaxSegments;)
        {
            SequenceNumber end = segment.End - seq > replay.Opening.Smss ? seq + replay.Opening.Smss : segment.End;
            int earlier = _latest.TryGetValue(end, out int index) ? index : -1;
            _latest[end] = Segments.Count;
            Segments.Add(new SegmentFate { Sent = segment.Time, Earlier = earlier });
            seq = end;
        }
    }

    /// <inheritdoc/>
    public void OnAckReceived(DirectionReplay replay, in AckArrival ack, long packet)
    {
        long soonest = (long)(MinShareOfRtt * (replay.Opening.RttNanos > 0 ? replay.Opening.RttNanos : replay.Reference.MinRttNanos));
        foreach (ref readonly RackSegment delivered in replay.Reference.Board.Delivered)
        {
            if (_latest.Remove(delivered.EndSeq, out int index))
            {
                OnDelivered(index, ack.Now, soonest);
            }
        }
    }

    /// <inheritdoc/>
    public void OnReorderingTimer(DirectionReplay replay, TraceTime now)
    {
    }

    /// <inheritdoc/>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
        // An answer that came sooner than a round trip says it before.
    }

    /// <inheritdoc/>
    public void Measure(DirectionReplay replay, SlowStartSummary? slowStart, List<ScoreComponent> components)
    {
        // A path has no score.
    }

    void OnDelivered(int index, TraceTime now, long soonest)
    {
        while (Segments[index].Earlier >= 0 && now - Segments[index].Sent < soonest)
        {
            index = Segments[index].Earlier;
        }

        Segments[index] = Segments[index] with { Kind = FateKind.Delivered, Delivered = now };
        for (int lost = Segments[index].Earlier; lost >= 0; lost = Segments[lost].Earlier)
        {
            Segments[lost] = Segments[lost] with { Kind = FateKind.Lost };
        }
    }
}

/// <summary>What became of a segment.</summary>
enum FateKind
{
    /// <summary>The trace does not show it.</summary>
    Unknown,

    /// <summary>It arrived.</summary>
    Delivered,

    /// <summary>It was lost.</summary>
    Lost,
}

/// <summary>A segment that was sent, and what became of it.</summary>
struct SegmentFate
{
    /// <summary>When it was sent.</summary>
    public TraceTime Sent;

    /// <summary>When the first acknowledgment told of its arrival.</summary>
    public TraceTime Delivered;

    /// <summary>The position of the transmission of the same data before it; −1 for none.</summary>
    public int Earlier;

    /// <summary>What became of it.</summary>
    public FateKind Kind;
}
