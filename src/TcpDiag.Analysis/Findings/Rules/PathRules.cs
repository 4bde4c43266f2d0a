using System;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The path drops full-sized segments and lets smaller ones through (RFC 2923 §2.1).</summary>
static class MtuBlackHoleRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Patterns.BlackHole is not { } hole)
        {
            return null;
        }

        return Describe(subject, hole);
    }

    /// <summary>Whether that is what the direction's timeouts come from.</summary>
    public static bool IsTheCause(in DirectionSubject subject) => subject.Patterns.BlackHole is not null;

    static Finding Describe(DirectionSubject subject, BlackHole hole) =>
        subject.Found(new FindingDraft(FindingIds.MtuBlackHole)
            .Costs(hole.Time)
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(Confidence(subject, hole))
            .WithText(() => new FindingText($"Segments of {hole.LostBytes} bytes from the {subject.Sender} do not arrive{Passed(hole)}.")
                .Because(Cause(subject, hole))
                .Shown(
                    "retransmissions of the same segment in full size, none of them acknowledged",
                    $"{hole.Retransmissions}",
                    null,
                    hole.First,
                    hole.Last)
                .Shown("until data arrived again", $"{(hole.PassedBytes is null ? "never" : Quantity.Duration(hole.Time))}")
                .Shown("ICMP reports of a packet too big", Reports(subject), null, subject.Patterns.TooBig, subject.Patterns.TooBig)
                .Advise(
                    "Network: let ICMP type 3 code 4 and ICMPv6 type 2 through firewalls; clamp the MSS option at the tunnel or VPN gateway to its MTU.",
                    $"Windows {subject.Sender}: netsh interface ipv4 set subinterface NAME mtu=1400 to test; ping -f -l 1400 ADDRESS finds the size that "
                        + $"passes; EnablePMTUBHDetect in Tcpip\\Parameters must not be 0, so that the stack probes.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_mtu_probing=1 has the stack probe; ip link set dev eth0 mtu 1400 to test; ping -M do -s 1372 "
                        + $"ADDRESS, or tracepath, finds the size that passes.")));

    static double Confidence(in DirectionSubject subject, BlackHole hole) => (subject.Patterns.TooBig, hole) switch
    {
        (not null, _) => 0.9,
        (_, { PassedBytes: not null, HadPassed: false }) => 0.85,
        _ => 0.6,
    };

    static string Passed(BlackHole hole) => hole.PassedBytes is { } passed ? InvariantText.Of($"; those of {passed} bytes do") : ", smaller ones do";

    static string Cause(in DirectionSubject subject, BlackHole hole)
    {
        string before = hole.HadPassed ? "Full-sized segments had arrived earlier, so the path has changed. " : string.Empty;
        string repair = hole.PassedBytes is null
            ? "It went on sending in full size to the end."
            : "It went on by trying smaller segments, after several timeouts.";
        return subject.Patterns.TooBig is null
            ? InvariantText.Of($"{before}A link on the path takes smaller packets only, and the report that should say so (ICMP) did not reach the "
                + $"{subject.Sender}: a firewall drops it, or a tunnel sends none. {repair}")
            : InvariantText.Of($"{before}A router reported that its next link takes smaller packets only, and the {subject.Sender} went on in full size: its "
                + $"own firewall drops the report, or its stack does not believe it. {repair}");
    }

    static string Reports(in DirectionSubject subject) => (subject.Patterns.TooBig, subject.Patterns.TooBigMtu) switch
    {
        (null, _) => "none in this capture",
        (_, { } mtu) => InvariantText.Of($"yes: packets of at most {mtu} bytes"),
        _ => "yes, without a size",
    };
}

/// <summary>The path drops what exceeds a rate instead of queueing it: a token bucket (RFC 2475 §2.3.3.2).</summary>
static class PolicerRule
{
    const int MinIntervals = 5; // between losses: fewer are as even by chance (assumed)
    const int MinBunches = 3; // intervals that suffice where each loss is of many packets, and others pass at the rate of the line (assumed)
    const int MinBunchSegments = 5; // lost at a time: what a growing window sends beyond the rate (assumed)
    const double MinLineFactor = 1.5; // that trains pass faster than the rate: no link that slow spaces them (tools/truth/real, policer)
    const double MaxPauseShare = 0.5; // of the time in which the program gave no data: what gets through from loss to loss is then what it gives (assumed)
    const double MaxTimeoutShare = 0.1; // of the time: a bucket fills again at once, and something always gets through (assumed)
    const double MaxVariation = 0.16; // of the rates between losses: 1 to 15 % behind a bucket, 20 % and more of random losses (assumed)
    const long MinBurstNanos = 20_000_000; // that the burst would take at that rate, for a queue to show (assumed)
    const int MinBurstParts = 8; // or so large a part of the round trip, where that is short (assumed)
    const int MinTimesQueue = 4; // so many times longer than any queue the round trips show (assumed)
    const double MinExcess = 1.5; // the sender can go faster by so much (assumed)
    const double MaxEvenVariation = 0.025; // of the rates of a sawtooth that repeats itself (assumed)
    const double MaxEvenSpread = 0.08; // of the amounts: 0.01 to 0.06 behind a bucket, of three random intervals once in 130 (assumed)
    const double MaxPairSpread = 0.03; // of two, which is as often of random ones (assumed)
    const double MaxMismatch = 0.1; // of a token bucket: 0.06 at most behind one, 0.12 and more of four random intervals (tools/truth, loss and policer)
    const double MismatchPerInterval = 0.05; // beyond the two that any bucket fits: few intervals fit one by chance

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsTheCause(subject))
        {
            return null;
        }

        return Describe(subject, subject.Patterns.LossPace!);
    }

    /// <summary>
    /// Whether losses are those of a token bucket, though the sender can go faster, and the round trips show no queue: one fits them. Where none can be fitted,
    /// the same rate gets through from loss to loss; and what went through in the beginning would have waited in a queue for long, or many are lost at a time,
    /// and those that pass do so at the rate of a faster line.
    /// </summary>
    public static bool IsTheCause(in DirectionSubject subject) =>
        subject.Patterns.LossPace is { Intervals: >= 2, BitsPerSecond: > 0 } pace
        && subject.Direction.Rtt.Samples > 0
        && (subject.Direction.Delivery?.Bucket is { } bucket ? Fits(subject, pace, bucket) : IsEven(subject, pace))
        && subject.Direction.Limits is not null // else neither timeouts nor the program's pauses show
        && subject.Share(LimitState.Timeout) <= MaxTimeoutShare
        && subject.Share(LimitState.Application) <= MaxPauseShare
        && !subject.IsPathFull
        && !ReorderingCwndRule.IsTheCause(subject)
        && !ReassemblyRule.IsTheCause(subject); // the receiver threw it away

    // Each loss came when a token bucket would have been empty, and one that is no queue.
    static bool Fits(in DirectionSubject subject, LossPaceSummary pace, TokenBucketSummary bucket) =>
        bucket.Mismatch <= Math.Min(MaxMismatch, MismatchPerInterval * (bucket.Intervals - 2))
        && (bucket.Intervals > Thresholds.MinLossSpans || IsLostAsByBucket(subject, pace))
        && (subject.IsAtSender ? IsSenderFaster(subject, pace) : IsLineFaster(subject, pace))
        && bucket.Bytes * 8e9 / bucket.BitsPerSecond >= Math.Min(MinBurstNanos, subject.Direction.Rtt.Min / MinBurstParts)
        && !IsQueueLong(subject, pace);

    // Without SACK it does not show when what passed did so, nor with few losses.
    static bool IsEven(in DirectionSubject subject, LossPaceSummary pace) =>
        pace.Variation <= MaxVariation
        && (IsPaceEven(subject, pace)
            || (IsSenderFaster(subject, pace) && (HasBucket(subject, pace) || HasBunches(subject, pace))));

    // What went through in the beginning shows only where the beginning was captured.
    static bool HasBucket(in DirectionSubject subject, LossPaceSummary pace) =>
        subject.Connection.HandshakeRtt is not null
        && pace.Intervals >= MinIntervals
        && PathLossRule.Lost(subject) > pace.Intervals
        && pace.BurstBytes >= Thresholds.MinBucketSegments * (subject.Direction.Mss ?? 0)
        && BurstTime(pace) >= Math.Min(MinBurstNanos, subject.Direction.Rtt.Min / MinBurstParts)
        && BurstTime(pace) >= MinTimesQueue * QueueTime(subject)
        && !(IsQueueLong(subject, pace) && subject.Direction.RttLoad >= BufferbloatRule.MinCorrelation)
        && (subject.IsAtSender || IsLineFaster(subject, pace));

    static bool HasBunches(in DirectionSubject subject, LossPaceSummary pace) =>
        pace.Intervals >= MinBunches
        && IsLostInBunches(subject, pace)
        && subject.Connection.HandshakeRtt is not null // else the sawtooth has to repeat itself: IsPaceEven
        && IsLineFaster(subject, pace)
        && !IsQueueLong(subject, pace);

    // What else a bucket shows, where as few intervals as can be fitted have one by chance.
    static bool IsLostAsByBucket(in DirectionSubject subject, LossPaceSummary pace) =>
        subject.Connection.HandshakeRtt is null ? IsPaceEven(subject, pace) : IsLostInBunches(subject, pace);

    static bool IsLostInBunches(in DirectionSubject subject, LossPaceSummary pace) =>
        PathLossRule.Lost(subject) >= MinBunchSegments * (pace.Intervals + 1);

    // The window of a sender grows in the same way after each loss. What drops beyond a rate therefore lets the same amount through between any two losses, in
    // the same time; what drops at random does not. Where the beginning was not captured, and with it the bucket, that has to show.
    static bool IsPaceEven(in DirectionSubject subject, LossPaceSummary pace) =>
        subject.Connection.HandshakeRtt is null
        && pace.Variation <= MaxEvenVariation
        && pace.Spread <= (pace.Intervals < MinBunches ? MaxPairSpread : MaxEvenSpread)
        && (subject.IsAtSender ? IsSenderFaster(subject, pace) : IsLineFaster(subject, pace))
        && !IsQueueLong(subject, pace);

    static bool IsSenderFaster(in DirectionSubject subject, LossPaceSummary pace) => subject.PeakRate >= MinExcess * pace.BitsPerSecond;

    // Behind a queue round trips do not show it, but what went through beyond the rate came as fast as the line.
    static bool IsLineFaster(in DirectionSubject subject, LossPaceSummary pace) =>
        subject.Direction.Delivery?.BurstBitsPerSecond >= MinLineFactor * pace.BitsPerSecond;

    // Longer than that of a bucket's burst; jitter does not follow what is in flight.
    static bool IsQueueLong(in DirectionSubject subject, LossPaceSummary pace) =>
        QueueTime(subject) * pace.BitsPerSecond / 8e9 > Thresholds.MinBucketSegments * (subject.Direction.Mss ?? 0);

    static long QueueTime(in DirectionSubject subject) => subject.Direction.Rtt.P95 - subject.Direction.Rtt.Min;

    static long BurstTime(LossPaceSummary pace) => (long)(pace.BurstBytes * 8e9 / pace.BitsPerSecond);

    // Less than the rate gets through, because the window is cut for each loss and the bucket overflows: a queue in its place would lose none of it. The
    // rate lies between what got through from loss to loss and the most of two round trips, which had what gathered in the bucket as well: taken in the middle.
    // That of the bucket that fits best is off by more, where it is nearly as good with another depth.
    static long CostOf(in DirectionSubject subject, LossPaceSummary pace)
    {
        double best = subject.Direction.Delivery?.BestBitsPerSecond is { } most ? (most + pace.BitsPerSecond) / 2 : 0;
        return best > 0 ? (long)Math.Max(subject.BusyTime - (subject.Direction.UniqueBytes * 8e9 / best), 0) : subject.TimeIn(LimitState.Recovery);
    }

    static string Cause(in DirectionSubject subject, LossPaceSummary pace) => (subject.Direction.Delivery?.Bucket, pace.BurstBytes) switch
    {
        ({ } bucket, _) => InvariantText.Of($"Whenever data was lost, a bucket of {Quantity.Bytes(bucket.Bytes)} that fills at this rate was empty, and the "
            + $"round trips show no queue that could have overflowed: packets are dropped, not delayed."),
        (null, > 0) => InvariantText.Of($"{SameRate(subject)} In the beginning {Quantity.Bytes(pace.BurstBytes)} more went through (the bucket); then packets "
            + $"are dropped, not delayed."),
        _ => $"{SameRate(subject)} Packets are dropped, not delayed.",
    };

    static string SameRate(in DirectionSubject subject) =>
        $"From each loss to the next the {subject.Transfer} got through at the same rate, and the round trips show no queue that could have overflowed.";

    static FindingText ShownBucket(this FindingText text, in DirectionSubject subject, LossPaceSummary pace) =>
        (subject.Direction.Delivery?.Bucket, pace.BurstBytes) switch
        {
            ({ } bucket, _) => text.Shown(
                "token bucket that fits the losses",
                $"{Quantity.Bytes(bucket.Bytes)} at {Quantity.BitRate(bucket.BitsPerSecond)}; of what it had gained, {bucket.Mismatch * 100:0} % was left",
                bucket.Intervals),
            (null, > 0) => text.Shown(
                "burst that got through beyond that rate, at least", $"{Quantity.Bytes(pace.BurstBytes)} ({Quantity.Duration(BurstTime(pace))})"),
            _ => text,
        };

    static Finding Describe(DirectionSubject subject, LossPaceSummary pace)
    {
        string rate = Quantity.BitRate(subject.Direction.Delivery?.Bucket?.BitsPerSecond ?? pace.BitsPerSecond);
        return subject.Found(new FindingDraft(FindingIds.Policer)
            .Costs((CostOf(subject, pace), 0))
            .WithConfidence(0.7)
            .WithText(() => new FindingText($"Something on the path drops what exceeds {rate} of the {subject.Transfer}: a policer.")
                .Because($"{Cause(subject, pace)} That rate is the path's capacity, but the {subject.Sender} meets it by losing data again and again.")
                .Shown(
                    "rate from loss to loss",
                    $"{Quantity.BitRate(pace.BitsPerSecond)}, give or take {pace.Variation * 100:0} %",
                    pace.Intervals,
                    subject.Patterns.Retransmission,
                    subject.Patterns.LastRetransmission)
                .ShownBucket(subject, pace)
                .Shown("packets lost at a time, on average", $"{(double)PathLossRule.Lost(subject) / (pace.Intervals + 1):0.#}", pace.Intervals + 1)
                .Shown(
                    "RTT, smallest and 95th percentile",
                    $"{Quantity.Duration(subject.Direction.Rtt.Min)} and {Quantity.Duration(subject.Direction.Rtt.P95)}",
                    subject.Direction.Rtt.Samples)
                .Shown("highest rate the sender has shown", $"{Quantity.BitRate(subject.PeakRate)}")
                .Advise(
                    "Network: look for a policer at that rate (provider's contract, router, cloud instance); shape to just below it instead, which delays "
                        + "packets; or give it a larger burst.",
                    $"Linux {subject.Sender}: bbr models policers and loses less; SO_MAX_PACING_RATE, or tc qdisc tbf or fq maxrate, keeps below the rate.",
                    $"Windows {subject.Sender}: New-NetQosPolicy -ThrottleRateActionBitsPerSecond keeps a program below the rate.")));
    }
}

/// <summary>Packets arrive twice that were sent once.</summary>
static class DuplicationRule
{
    const int MinCopies = 3;
    const double CaptureShare = 1.0 / 3; // of all segments: no network that works copies so many, a mirror port copies each (assumed)

    public static Finding? Judge(in DirectionSubject subject)
    {
        long copies = Copies(subject);
        if (copies < MinCopies)
        {
            return null;
        }

        return Describe(subject, copies);
    }

    static long Copies(in DirectionSubject subject) => Math.Max(subject.Patterns.Copies, subject.Direction.ReportedCopies);

    static Finding Describe(DirectionSubject subject, long copies)
    {
        bool isSeen = subject.Patterns.Copies >= MinCopies;
        bool isCapture = isSeen && copies >= CaptureShare * subject.Direction.WireSegments;
        return subject.Found(new FindingDraft(FindingIds.DuplicatedByNetwork)
            .WithConfidence(isCapture ? 0.5 : isSeen ? 0.9 : 0.7)
            .WithText(() => new FindingText($"{Quantity.Count(copies, "packet")} of the {subject.Transfer} arrived twice, though the {subject.Sender} sent "
                + $"each once.")
                .Because(Cause(isCapture))
                .Shown(
                    isSeen ? "second packets with the same IP identification, at once" : "DSACKs for data that was sent once",
                    $"{copies} of {subject.Direction.WireSegments}",
                    subject.Direction.WireSegments,
                    isSeen ? subject.Patterns.Copy : subject.Patterns.Dsack,
                    isSeen ? subject.Patterns.LastCopy : subject.Patterns.Dsack)
                .Advise(
                    isCapture
                        ? "Capture: a mirror port (SPAN) that copies both received and sent packets of a VLAN doubles each; mirror one of the two."
                        : "Network: look for a loop or a flapping link aggregation, a bridge with two ways, Wi-Fi whose acknowledgments are lost, and clusters "
                            + "(NLB, firewall pairs) in which two machines forward the same packet.")));
    }

    static string Cause(bool isCapture) => isCapture
        ? "So many copies come of the recording more often than of the network: every packet was captured twice at one place."
        : "A device on the path made copies. They cost little by themselves; but duplicate acknowledgments answer them, and a sender may take those for loss.";
}
