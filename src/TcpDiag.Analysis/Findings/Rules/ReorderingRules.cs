using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The path delivers packets in a different order from the one they were sent in (RFC 4737).</summary>
static class PathReorderingRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction.Reordering is not { Packets: > 0 } reordering)
        {
            return null;
        }

        return Describe(subject, reordering);
    }

    static Finding Describe(DirectionSubject subject, ReorderingSummary reordering)
    {
        string extent = reordering.MaxExtent is { } most ? $", by up to {Quantity.Duration(most)}" : string.Empty;
        return subject.Found(new FindingDraft(FindingIds.PathReordering)
            .WithConfidence(0.9)
            .WithText(() => new FindingText($"The path reordered {Quantity.Count(reordering.Packets, "packet")} of the {subject.Transfer}{extent}.")
                .Because($"Packets of one connection took different ways or queues. What it costs depends on the {subject.Sender}'s TCP: one that adapts "
                    + $"loses nothing.")
                .Shown(
                    "packets reordered",
                    $"{reordering.Packets} ({reordering.Ratio:0.####%})",
                    reordering.Samples,
                    EvidenceSpan.Between(subject.Patterns.Late ?? subject.Patterns.DuplicateAck, subject.Patterns.LastLate, subject.Connection))
                .Shown("lateness, median and largest", $"{Duration(reordering.Extents?.Median)} and {Duration(reordering.MaxExtent)}")
                .Advise(
                    "Network: capture at two points to find where it begins. Usual places: NICs that steer flows, per-packet load balancing, parallel links.",
                    "Linux host with an Intel NIC: ethtool -S eth0 | grep fdir.")));
    }

    static string Duration(long? nanoseconds) => nanoseconds is { } known ? Quantity.Duration(known) : "unknown";
}

/// <summary>Data that had arrived was sent again.</summary>
static class SpuriousRetransmissionRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Needless == 0)
        {
            return null;
        }

        return Describe(subject);
    }

    static Finding Describe(DirectionSubject subject)
    {
        NeedCounts needs = subject.Direction.Needs!.Value;
        long recovery = subject.TimeIn(LimitState.Recovery) * subject.Needless / needs.Total;
        FindingDraft draft = new FindingDraft(FindingIds.SpuriousRetransmissions)
            .WithConfidence(needs.Spurious > 0 ? 0.95 : 0.6)
            .WithText(() => new FindingText($"The {subject.Sender} sent {Quantity.Count(subject.Needless, "segment")} again that had arrived.")
                .Because($"The {subject.Sender} gave up on data too early: packets overtook each other, or an acknowledgment came later than its timer "
                    + $"allowed. Each time it may cut its congestion window for nothing.")
                .Shown(
                    "proven needless (DSACK, or the echoed timestamp is older)",
                    $"{needs.Spurious} of {needs.Total}",
                    subject.Direction.WireSegments,
                    subject.Patterns.Retransmission,
                    subject.Patterns.LastRetransmission)
                .Shown("probably needless (acknowledged too soon for a round trip)", $"{needs.LikelySpurious} of {needs.Total}")
                .Shown("DSACKs", $"{subject.Direction.Dsacks}", null, subject.Patterns.Dsack)
                .Advise(
                    "Network: look for reordering (path-reordering) and for sudden delays (Wi-Fi power saving, a VPN that re-keys).",
                    $"Windows {subject.Sender}: use a build from 22621 on: earlier ones do not adapt, or not to DSACKs.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_dsack, net.ipv4.tcp_timestamps and net.ipv4.tcp_recovery at their defaults of 1."));
        bool isExplained = ReorderingCwndRule.IsTheCause(subject) || ReassemblyRule.IsTheCause(subject) || BufferbloatRule.IsTheCause(subject)
            || SackRule.IsOff(subject.Connection);
        return subject.Found(isExplained ? draft.AsDescription() : draft.Costs(recovery).AsDescription(subject.IsPathFull));
    }
}

/// <summary>DSACKs arrive, and the sender's stack counts none of them (story S2, build 22000).</summary>
static class DsackIgnoredRule
{
    const int MinDsacks = 3;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction is not { Dsacks: >= MinDsacks, StackDsacks: 0 })
        {
            return null;
        }

        return Describe(subject);
    }

    static Finding Describe(DirectionSubject subject) =>
        subject.Found(new FindingDraft(FindingIds.DsackIgnored)
            .WithMinSeverity(subject.Needless >= MinDsacks ? FindingSeverity.Warning : FindingSeverity.Note) // for copies the network made it does no harm
            .WithText(() => new FindingText($"The {subject.Sender}'s TCP ignores the {subject.Direction.Dsacks} DSACKs it gets, and so does not learn that "
                + $"the path reorders.")
                .Because($"DSACKs tell a sender that it resent data for nothing; it should then wait longer before it takes data for lost. The stack's own "
                    + $"events count none: the reordering window stays where it was.")
                .Shown("DSACKs on the wire", $"{subject.Direction.Dsacks}", null, EvidenceSpan.Between(subject.Patterns.Dsack, null, subject.Connection))
                .Shown("DSACKs the stack counted", $"0")
                .Advise(
                    $"Windows {subject.Sender}: build 22000 (11 21H2) does this; fixed in the 22621 line: update it.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_dsack=1.",
                    "Until then: take the reordering off the path (path-reordering).")));
}

/// <summary>Each needless retransmission is answered by a duplicate acknowledgment, and that by the next retransmission (story S2).</summary>
static class PingPongRule
{
    const int MinRounds = 4;

    public static Finding? Judge(in DirectionSubject subject)
    {
        DirectionPatterns patterns = subject.Patterns;
        if (patterns is not { LongestPingPong: >= MinRounds, PingPong: { } first, LastRetransmission: { } last } || IsByTimer(subject, last.Time - first.Time))
        {
            return null;
        }

        return Describe(subject, patterns, first, last);
    }

    // A sender whose acknowledgments are lost on the way back repeats by its timer, and is answered each time as well.
    static bool IsByTimer(in DirectionSubject subject, long nanos) => 2 * subject.TimeIn(LimitState.Timeout) >= nanos;

    static Finding Describe(DirectionSubject subject, DirectionPatterns patterns, TracePosition first, TracePosition last)
    {
        bool isDeadly = patterns.FinalPingPong >= MinRounds && subject.Connection.End == ConnectionEnd.Rst;
        string end = isDeadly ? ", until the connection was reset" : string.Empty;
        return subject.Found(new FindingDraft(FindingIds.SpuriousDupackPingpong)
            .Costs(last.Time > first.Time ? last.Time - first.Time : 0)
            .WithMinSeverity(isDeadly ? FindingSeverity.Critical : FindingSeverity.Warning)
            .WithText(() => new FindingText($"The {subject.Sender} resent the same data and the {subject.Receiver} answered that it had it, "
                + $"{patterns.LongestPingPong} times in a row{end}.")
                .Because($"The {subject.Sender} does not accept the acknowledgments: a middlebox rewrites sequence or SACK numbers, or the stack rejects "
                    + $"what it should believe.")
                .Shown("retransmissions in a row, each answered by a duplicate acknowledgment", $"{patterns.LongestPingPong}", null, first, last)
                .Advise(
                    "Network: capture on the other side of firewalls, VPNs and proxies; compare sequence and SACK numbers.",
                    "Windows: seen with 21H2 (build 22000); update to the 22621 line or later.",
                    "To test: switch SACK off on one end; if it stops, SACK numbers are being rewritten.")));
    }
}

/// <summary>The receiver drops out-of-order data beyond its reassembly limit (story S2).</summary>
static class ReassemblyRule
{
    const long MinTimeNanos = 1_000_000;
    const int MinSegments = 16; // sent again for it, where nothing else shows it (assumed)

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsShown(subject))
        {
            return null;
        }

        return Describe(subject, subject.TimeIn(LimitState.Reassembly));
    }

    /// <summary>Wire segments that were sent again because the receiver had dropped them; 0 where nothing shows that it does.</summary>
    public static long Dropped(in DirectionSubject subject) =>
        IsShown(subject) ? subject.Patterns.Dropped?.Segments ?? 0 : 0;

    /// <summary>Whether most of what was sent again was sent again for that.</summary>
    public static bool IsTheCause(in DirectionSubject subject) =>
        Dropped(subject) is > 0 and { } dropped && 2 * dropped >= subject.Direction.Retransmissions;

    // For some time; or so much that it does not come of a few acknowledgments (at the receiver, that time is short).
    static bool IsShown(in DirectionSubject subject) => subject.TimeIn(LimitState.Reassembly) >= MinTimeNanos
        ? HasCost(subject)
        : subject.Patterns.Dropped is { Segments: >= MinSegments and var segments } && 2 * segments >= subject.Direction.Retransmissions;

    // Only what has to be sent again shows that it was dropped: SACKs without news may as well answer copies, or have been copied. Events of the stack say it.
    static bool HasCost(in DirectionSubject subject) =>
        subject.Patterns.Dropped is not null || subject.Direction.Renegings > 0 || subject.Direction.Limits?.Evidence is Evidence.Events;

    static Finding Describe(DirectionSubject subject, long time) =>
        subject.Found(new FindingDraft(FindingIds.ReassemblyLimit)
            .Costs(IsTheCause(subject) ? subject.LostOf(time + subject.TimeIn(LimitState.Recovery)) : (time, time))
            .WithConfidence(0.75)
            .WithText(() => new FindingText($"The {subject.Receiver} drops data that comes after a hole: its reassembly limit is reached.")
                .Because($"Data keeps arriving behind a hole, but the {subject.Receiver}'s SACKs report nothing new: it keeps only so many out-of-order "
                    + $"blocks, and the rest must be sent again.")
                .Shown("time with SACKs that report nothing new", subject.OfActive(time), subject.LimitSamples, subject.LongestSpan(LimitState.Reassembly))
                .Shown(
                    "segments sent again that were under way then",
                    $"{subject.Patterns.Dropped?.Segments ?? 0}",
                    subject.Direction.Retransmissions,
                    subject.Patterns.Dropped?.First,
                    subject.Patterns.Dropped?.Last)
                .Shown("times the receiver dropped what it had SACKed", $"{subject.Direction.Renegings}")
                .Advise(
                    $"Windows {subject.Receiver}: events 1473 and 1554 of Microsoft-Windows-TCPIP confirm it; use a current build.",
                    "Network: fewer losses per round trip make fewer blocks: see path-loss and path-reordering.")));
}
