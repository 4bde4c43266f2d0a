using System;
using TcpDiag.Scores.Replays;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>
/// How wide the reordering windows of the candidates are. Stacks differ in which DSACKs count, when the round of one is over and how long a widened window
/// persists, so that of an adaptive window there is a narrowest and a widest; an eighth of a step is allowed for clocks and for another min_RTT.
/// </summary>
struct CandidateWindows
{
    const int StepsPerMinRtt = 4; // RFC 8985 §6.2 step 4
    const int ToleranceOfStep = 8;

    ReorderingWindow _narrow;
    ReorderingWindow _wide;
    LinuxReorderingWindow _linuxNarrow;
    LinuxReorderingWindow _linuxWide;

    /// <summary>The multiplier that every adaptive sender has reached.</summary>
    public readonly int NarrowMult => Math.Min(_narrow.ReoWndMult, _linuxNarrow.ReoWndMult);

    /// <summary>The multiplier that none has exceeded.</summary>
    public readonly int WideMult => Math.Max(_wide.ReoWndMult, _linuxWide.ReoWndMult);

    /// <summary>A step of the window: min_RTT/4, ns.</summary>
    public static long StepNanos(Sender reference) => reference.MinRttNanos / StepsPerMinRtt;

    /// <summary>
    /// Takes in an acknowledgment. Linux counts a DSACK only once reordering was seen, and counts no recovery that it undid; RFC 8985 §6.2 step 4 counts all.
    /// </summary>
    /// <param name="replay">The replay.</param>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="endsRecovery">Whether it ends a recovery of the sender.</param>
    /// <param name="answersProbe">Whether a tail loss probe is out, which its DSACK may answer.</param>
    public void OnAckReceived(DirectionReplay replay, in AckArrival ack, bool endsRecovery, bool answersProbe)
    {
        SequenceNumber sndNxt = replay.Reference.SndNxt;
        bool countsEverywhere = ack.IsDsack && replay.Reference.ReorderingSeen && !answersProbe;
        _narrow.OnAckReceived(ack.Una, sndNxt, countsEverywhere, endsRecovery);
        _wide.OnAckReceived(ack.Una, sndNxt, ack.IsDsack, exitsRecovery: false);
        ReadOnlySpan<RackSegment> delivered = replay.Reference.Board.Delivered;
        _linuxNarrow.OnAckReceived(delivered, ack.Now, countsEverywhere, endsRecovery);
        _linuxWide.OnAckReceived(delivered, ack.Now, ack.IsDsack, exitsRecovery: false);
    }

    /// <summary>The windows of a moment.</summary>
    /// <param name="reference">The reference.</param>
    /// <param name="isRecovering">Whether the sender repairs a loss.</param>
    /// <returns>ns for each candidate but that of duplicate acknowledgments.</returns>
    public readonly WindowNanos At(Sender reference, bool isRecovering)
    {
        long step = StepNanos(reference);
        long tolerance = step / ToleranceOfStep;
        long srtt = reference.SrttNanos;
        bool isLossEvident = !reference.ReorderingSeen && (isRecovering || reference.Board.SackedSegments >= ReorderingWindow.DupThresh);
        long soonest = Math.Max(NarrowMult - 1, 1); // one round trip may have closed a little later than it did here
        return new WindowNanos(
            reference.ReoWndNanos,
            isLossEvident ? 0 : Math.Min(step, srtt) - tolerance,
            Math.Min(step, srtt) + tolerance,
            isLossEvident ? 0 : (long)Int128.Min((Int128)step * soonest, srtt - (srtt / 8)) - tolerance,
            (long)Int128.Min((Int128)step * WideMult, srtt + (srtt / 8)) + tolerance);
    }
}

/// <summary>Reordering windows in ns.</summary>
/// <param name="Reference">Of the reference.</param>
/// <param name="FixedSoonest">Of a fixed window, at least.</param>
/// <param name="FixedLatest">At most.</param>
/// <param name="AdaptiveSoonest">Of an adaptive one, at least.</param>
/// <param name="AdaptiveLatest">At most.</param>
readonly record struct WindowNanos(long Reference, long FixedSoonest, long FixedLatest, long AdaptiveSoonest, long AdaptiveLatest);
