using System;
using TcpDiag.Analysis.Findings.Rules;
using TcpDiag.Analysis.Results;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Analysis.Findings;

// Whether the path was full: by this direction's data, with that of others, or the other way.
readonly partial record struct DirectionSubject
{
    /// <summary>
    /// Whether the path was full most of the time: a queue stood on it, or, at the receiver, where no queue shows, data came as fast as bursts do.
    /// </summary>
    public bool IsPathFull => Direction.Delivery is { } delivery
        && ((HasQueue(delivery) && !IsReaderLate(delivery))
            || IsQueueCut
            || (IsAtReceiver && Direction.GoodputBitsPerSecond >= FullRate(delivery)
                && Share(LimitState.CongestionWindow) + Share(LimitState.Recovery) >= Thresholds.FullShare));

    /// <summary>What it got together with its companions while it was active; null without any.</summary>
    public SharedRate? Shared => Direction.FirstData is { } begin ? Companions?.SharedRate(this, begin, begin + ActiveTime) : null;

    /// <summary>The rate of data that filled the path the other way at that time, bits per second; null where nothing did.</summary>
    public double? OtherWay => Companions?.OtherWay(this);

    // Recoveries do not show whether a queue stands: it did for most of the time outside them, and for half of all time.
    bool HasQueue(DeliverySummary delivery) =>
        delivery.PathFullTime >= Thresholds.FullShare * (BusyTime - TimeIn(LimitState.Recovery)) && 2 * delivery.PathFullTime >= BusyTime
        && (delivery.IsOwnQueue || OtherWay is null);

    /// <summary>
    /// Whether a queue dropped what was lost, so long that even a cut window keeps it from running empty: the path stayed full behind the losses. That cut is
    /// CUBIC's (RFC 9438 §4.6); one by half leaves the path unused for a while.
    /// </summary>
    public bool IsDroppedByQueue => LossRtt is > 0 and var rtt
        && (RoundTrip.PathOf(Connection) ?? (IsAway ? 0 : Direction.Rtt.Min)) is > 0 and { } path
        && Cubic.Beta * rtt >= path;

    /// <summary>
    /// A round trip when packets were lost, the shortest, nanoseconds; 0 where none shows. Away from the sender the repairs show it, nine in ten of them; but
    /// where DSACKs told of reordering a sender waits up to a round trip longer before it sends anything again (RFC 8985 §6.2). What was lost behind the
    /// capture point, the data shows that came through before.
    /// </summary>
    public long LossRtt => IsAway && Direction.Loss is { RepairNanos: > 0 and var repair }
        ? Direction.Dsacks == 0 ? repair : 0
        : Direction.Delivery?.LossRtt ?? 0;

    // Away from the sender, where a queue need not show otherwise.
    bool IsQueueCut => IsAway
        && IsDroppedByQueue
        && Math.Min(PathLossRule.SinceFirst(this), TimeIn(LimitState.CongestionWindow) + TimeIn(LimitState.Recovery)) >= Thresholds.FullShare * BusyTime;

    // What a program reads late is acknowledged late, and looks like a queue.
    bool IsReaderLate(DeliverySummary delivery) => TimeIn(LimitState.ReceiveWindow) >= BusyTime / 2
        && delivery.BestBitsPerSecond >= Thresholds.MaxFullExcess * delivery.PathFullBitsPerSecond;

    // Jitter has bursts come closer than the link sends them; but where the rate stays what it was though the window was cut for losses, a queue stood: unless
    // the window stays small all the time, and bursts are far faster.
    double? FullRate(DeliverySummary delivery)
    {
        double? asBursts = Thresholds.FullRateShare * delivery.BurstBitsPerSecond;
        if (IsCutByReordering)
        {
            return asBursts is { } rate ? Math.Max(rate, Thresholds.FullRateShare * delivery.BestBitsPerSecond ?? 0) : null;
        }

        return Direction.Retransmissions > 0 && !(delivery.BurstBitsPerSecond > Thresholds.MaxFullExcess * delivery.BestBitsPerSecond)
            ? Math.Min(asBursts ?? double.MaxValue, Thresholds.SteadyRateShare * delivery.BestBitsPerSecond ?? double.MaxValue)
            : asBursts;
    }

    // No queue had overflowed. Such a window is small all the time, at an even rate, and on a path with jitter nothing of it comes in bursts.
    bool IsCutByReordering => Direction.Reordering?.Packets > 0 && Needless > 0 && 2 * Needless >= Direction.Retransmissions;
}

/// <summary>Adds what went the other way to the text of a finding.</summary>
static class OtherWayEvidence
{
    /// <summary>Adds it as evidence; nothing where it did not fill the path.</summary>
    public static FindingText ShownOtherWay(this FindingText text, in DirectionSubject subject) => subject.OtherWay is { } rate
        ? text.Shown("data the other way between these hosts, in whose queue acknowledgments waited", Quantity.BitRate(rate))
        : text;
}
