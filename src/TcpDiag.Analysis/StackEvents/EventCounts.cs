using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>Takes an event into the ends, counters and limits of its connection: all that takes the same room however many events come.</summary>
static class EventCounts
{
    // Far more than one call sends: a larger value comes from a damaged event.
    const long MaxBytes = 1L << 40;

    /// <summary>Takes in an event of a connection.</summary>
    public static void Count(StackConnection connection, StackEvent stackEvent)
    {
        connection.Last = stackEvent.Time;
        connection.Local = ConnectionIdentity.Better(connection.Local, stackEvent.Local);
        connection.Remote = ConnectionIdentity.Better(connection.Remote, stackEvent.Remote);
        connection.ProcessId ??= stackEvent.ProcessId is > 0 ? stackEvent.ProcessId : null;
        connection.System = connection.System == EndSystem.Unknown ? SystemOf(stackEvent.Source) : connection.System;
        connection.IsActive |= stackEvent.Kind is not (StackEventKind.ConnectionRundown or StackEventKind.TemplateParameters or StackEventKind.ProcessNamed);
        switch (stackEvent.Kind)
        {
            case StackEventKind.ConnectRequested or StackEventKind.SynSent:
                connection.IsOpenedHere = true;
                break;
            case StackEventKind.Connected:
                connection.IsOpenedHere ??= true;
                connection.IsEstablished = true;
                break;
            case StackEventKind.Accepted:
                connection.IsOpenedHere = false;
                connection.IsEstablished = true;
                break;
            case StackEventKind.Closed:
                connection.End = connection.End == ConnectionEnd.Open ? ConnectionEnd.Fin : connection.End;
                break;
            case StackEventKind.Reset:
                connection.End = ConnectionEnd.Rst;
                break;
            default:
                connection.FollowLimits(stackEvent);
                CountTraffic(connection, stackEvent);
                break;
        }
    }

    /// <summary>Whether an event counts: where two sources log one connection only the stack's own do, or bytes would count twice.</summary>
    public static bool IsCounted(StackConnection connection, StackEvent stackEvent) => !connection.HasTcb || stackEvent.Tcb != 0;

    static void CountTraffic(StackConnection connection, StackEvent stackEvent)
    {
        if (!IsCounted(connection, stackEvent))
        {
            return;
        }

        long bytes = BytesOf(stackEvent);
        switch (stackEvent.Kind)
        {
            case StackEventKind.SegmentSent:
                connection.FirstSend ??= stackEvent.Time;
                connection.LastSend = stackEvent.Time;
                connection.BytesSent += bytes;
                connection.SegmentsSent++;
                break;
            case StackEventKind.SendCompleted:
                connection.BytesCompleted += bytes;
                break;
            case StackEventKind.SegmentReceived:
                connection.BytesReceived += bytes;
                break;
            case StackEventKind.AckReceived:
                connection.LastSend = stackEvent.Time;
                break;
            case StackEventKind.SegmentRetransmitted:
                connection.Retransmissions++;
                connection.BytesRetransmitted += bytes;
                break;
            case StackEventKind.ReorderingDetected:
                connection.Reorderings++;
                break;
            case StackEventKind.SackReceived when stackEvent.TryGet(StackField.DsackCount, out long dsacks):
                connection.SacksWithDsackCount++;
                connection.DsacksCounted += dsacks > 0 ? 1 : 0;
                break;
            case StackEventKind.ReoWndUpdated when stackEvent.TryGet(StackField.ReoWndMult, out long multiplier):
                connection.MaxReoWndMult = (int)Math.Clamp(multiplier, connection.MaxReoWndMult ?? 0, int.MaxValue);
                break;
            case StackEventKind.CwndRestarted when IsTakenBack(stackEvent):
                connection.CwndRestarts = connection.CwndRestarts.GetValueOrDefault() + 1;
                break;
            case StackEventKind.ConnectionSummary:
                connection.SummaryBytesOut = Get(stackEvent, StackField.DataBytesOut);
                connection.SummaryBytesIn = Get(stackEvent, StackField.DataBytesIn);
                connection.SummaryRetransmissions = Get(stackEvent, StackField.SegmentsRetransmitted);
                break;
        }
    }

    /// <summary>The bytes of an event; 0 where it has none.</summary>
    public static long BytesOf(StackEvent stackEvent) => stackEvent.TryGet(StackField.Bytes, out long bytes) && bytes is > 0 and < MaxBytes ? bytes : 0;

    // A connection's initial window comes with the same event, but is no smaller than before.
    static bool IsTakenBack(StackEvent stackEvent) =>
        stackEvent.TryGet(StackField.OldCwnd, out long before) && stackEvent.TryGet(StackField.Cwnd, out long after) && after < before;

    static EndSystem SystemOf(string source) =>
        source.StartsWith("Microsoft-Windows-", StringComparison.Ordinal) ? EndSystem.Windows
        : source.StartsWith("tcp:", StringComparison.Ordinal) || source.StartsWith("sock", StringComparison.Ordinal) ? EndSystem.Linux
        : EndSystem.Unknown;

    static long? Get(StackEvent stackEvent, StackField field) => stackEvent.TryGet(field, out long value) ? value : null;
}
