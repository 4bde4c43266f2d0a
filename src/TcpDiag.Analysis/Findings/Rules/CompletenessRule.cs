using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Part of the traffic is missing in the trace: what is said about it may be wrong, and verdicts inside the gaps are withheld.</summary>
static class CompletenessRule
{
    public static Finding? Judge(IReadOnlyList<Connection> connections, in TraceCompleteness completeness)
    {
        long unseen = connections.Where(connection => !connection.IsOneSided).Sum(connection => connection.FromClient.UnseenBytes + connection.FromServer.UnseenBytes);
        if (unseen == 0 && completeness is { LostEvents: 0, LostBuffers: 0, DroppedPackets: 0, IsDamaged: false })
        {
            return null;
        }

        return Word(unseen, connections.Sum(connection => NotJudged(connection.FromClient) + NotJudged(connection.FromServer)), completeness);
    }

    static long NotJudged(ConnectionDirection direction) => direction.Limits?.Times.In(LimitState.NotJudged) ?? 0;

    static Finding Word(long unseen, long notJudged, TraceCompleteness completeness) =>
        new FindingDraft(FindingIds.CaptureIncomplete)
            .AtLeast(FindingSeverity.Warning)
            .Sure(0.95)
            .Worded(() => new FindingText($"The trace is not complete: {What(unseen, completeness)}.")
                .Because($"The recorder could not keep up, began or ended in the midst of connections, or filtered too much. Around a gap, until an acknowledgment tells what is in flight again, it is not judged what limited the sender; nor counts what seems to be in flight across it.")
                .Shown("bytes acknowledged that were never captured", $"{unseen}")
                .Shown("time in which no sender's limit is told", $"{Quantity.Duration(notJudged)}")
                .Shown("packets the recorder dropped", $"{completeness.DroppedPackets}")
                .Shown("events the recorder lost", $"{completeness.LostEvents}")
                .Shown("buffers of events the recorder lost", $"{completeness.LostBuffers}")
                .Advise(
                    "Record with larger buffers, to a faster disk, with a filter on host or port, and with packets cut to their headers.",
                    "Windows: netsh trace start … bufferSize=1024 maxSize=2048.",
                    "Linux: tcpdump -B 65536 -s 120."))
            .On(null);

    static string What(long unseen, in TraceCompleteness completeness)
    {
        var parts = new List<string>();
        if (unseen > 0)
        {
            parts.Add($"{Quantity.Bytes(unseen)} were acknowledged but never captured");
        }

        if (completeness.DroppedPackets > 0)
        {
            parts.Add($"the recorder dropped {Quantity.Count(completeness.DroppedPackets, "packet")}");
        }

        if (completeness.LostEvents > 0)
        {
            parts.Add($"the recorder lost {Quantity.Count(completeness.LostEvents, "event")}");
        }

        if (completeness.LostBuffers > 0)
        {
            string when = completeness.LostWhen is { } told ? $", {told}" : string.Empty;
            parts.Add($"the recorder lost {Quantity.Count(completeness.LostBuffers, "buffer")} of events{when}");
        }

        if (completeness.IsDamaged)
        {
            parts.Add("part of the file cannot be read");
        }

        return string.Join(", ", parts);
    }
}
