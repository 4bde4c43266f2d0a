using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Scores.Cards;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Replays;

/// <summary>Measures one side of a sender's behaviour while a reference sender is replayed over its trace.</summary>
interface IReplayMeasure
{
    /// <summary>The sender sends a segment; the reference does not know of it yet.</summary>
    /// <param name="replay">The replay.</param>
    /// <param name="segment">The segment.</param>
    void OnSending(DirectionReplay replay, in ReplayedSegment segment);

    /// <summary>An acknowledgment arrived, and the reference has taken it in.</summary>
    /// <param name="replay">The replay.</param>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="packet">Number of its packet.</param>
    void OnAckReceived(DirectionReplay replay, in AckArrival ack, long packet);

    /// <summary>The reference's reordering timer expired (RFC 8985 §6.2 step 5).</summary>
    /// <param name="replay">The replay.</param>
    /// <param name="now">When.</param>
    void OnReorderingTimer(DirectionReplay replay, TraceTime now);

    /// <summary>It is known whether one wire segment of a retransmission was needed.</summary>
    /// <param name="item">The segment.</param>
    /// <param name="need">The verdict.</param>
    void OnVerdict(in Retransmission item, RetransmissionNeed need);

    /// <summary>Gives what was measured, once the connection is over.</summary>
    /// <param name="replay">The replay.</param>
    /// <param name="slowStart">How the analysis saw slow start end; null where no round trip of it was seen.</param>
    /// <param name="components">Gets the components.</param>
    void Measure(DirectionReplay replay, SlowStartSummary? slowStart, List<ScoreComponent> components);
}

/// <summary>A segment with data, as its sender sent it.</summary>
/// <param name="Seq">First byte.</param>
/// <param name="Length">Bytes; more than SMSS when it was offloaded.</param>
/// <param name="Time">When.</param>
/// <param name="Packet">Number of its packet.</param>
/// <param name="Trigger">What triggered it, for one that was sent before.</param>
/// <param name="IsRetransmission">Whether any of it was sent before.</param>
readonly record struct ReplayedSegment(
    SequenceNumber Seq, int Length, TraceTime Time, long Packet, RetransmissionTrigger Trigger, bool IsRetransmission)
{
    /// <summary>Behind the last byte.</summary>
    public SequenceNumber End => Seq + Length;
}
