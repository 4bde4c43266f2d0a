namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The path delivers packets in another order than they were sent (RFC 4737).</summary>
static class PathReorderingRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction.Reordering is not { Packets: > 0 } reordering)
        {
            return null;
        }

        return Word(subject, reordering);
    }

    static Finding Word(DirectionSubject subject, ReorderingSummary reordering)
    {
        string extent = reordering.MaxExtent is { } most ? $", by up to {Quantity.Duration(most)}" : string.Empty;
        return subject.Found(new FindingDraft(FindingIds.PathReordering)
            .Sure(0.9)
            .Worded(() => new FindingText($"The path reordered {Quantity.Count(reordering.Packets, "packet")} of the {subject.Transfer}{extent}.")
                .Because($"Packets of one connection took different ways or queues. What it costs depends on the {subject.Sender}'s TCP: one that adapts loses nothing.")
                .Shown("packets reordered", $"{reordering.Packets} ({reordering.Ratio:0.####%})", reordering.Samples, Place.Between(subject.Patterns.Late ?? subject.Patterns.DuplicateAck, subject.Patterns.LastLate, subject.Connection))
                .Shown("lateness, median and largest", $"{Duration(reordering.Extents?.Median)} and {Duration(reordering.MaxExtent)}")
                .Advise(
                    "Network: capture at two points to find where it begins. Usual places: NICs that steer flows, per-packet load balancing, parallel links.",
                    "Linux host with an Intel NIC: ethtool -S eth0 | grep fdir.")));
    }

    static string Duration(long? nanoseconds) => nanoseconds is { } known ? Quantity.Duration(known) : "unknown";
}
