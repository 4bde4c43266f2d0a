using System;
using TcpDiag.Analysis.Flows;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Enters one segment into the timeline of its connection: its payload on one side, its acknowledgment on the other.</summary>
static class SegmentPlotter
{
    // A mark is worth as much attention as so many bytes when connections compete for charts.
    const int BytesPerMark = 1 << 16;

    /// <summary>Enters a segment.</summary>
    /// <param name="timeline">The timeline.</param>
    /// <param name="connection">The connection after the segment.</param>
    /// <param name="from">Direction of its payload.</param>
    /// <param name="step">What it did.</param>
    public static void Plot(ConnectionTimeline timeline, ref ConnectionState connection, int from, in LedgerStep step)
    {
        long time = timeline.MoveTo(step.Time.Nanoseconds);
        DirectionTimeline sent = timeline.From(from);
        DirectionTimeline acked = timeline.From(from ^ 1);
        int marks = sent.Marks.Items.Length + acked.Marks.Items.Length;
        if ((step.Flags & (TcpFlags.Syn | TcpFlags.Fin | TcpFlags.Rst)) != 0)
        {
            PlotControl(sent, time, step);
        }

        if ((step.Flags & TcpFlags.Rst) != 0)
        {
            return;
        }

        PlotSent(sent, time, step);
        if ((step.Flags & TcpFlags.Ack) != 0)
        {
            PlotAck(acked, time, step);
            PlotInFlight(acked, time, connection.Direction[from ^ 1].InFlight);
        }

        PlotInFlight(sent, time, connection.Direction[from].InFlight);
        timeline.Weight += step.Length + ((long)BytesPerMark * (sent.Marks.Items.Length + acked.Marks.Items.Length - marks));
    }

    /// <summary>The mark of a segment that is not simply new data.</summary>
    /// <param name="sent">Its direction.</param>
    /// <param name="time">Its instant on the time axis, ns.</param>
    /// <param name="step">The segment.</param>
    /// <returns>The mark.</returns>
    public static Mark MarkOf(DirectionTimeline sent, long time, in LedgerStep step)
    {
        long start = sent.OffsetOf(step.Start);
        return new Mark(time, KindOf(step), StackEventKind.None, start, start + step.Length - step.Fresh, step.PacketNumber, Math.Max(step.WireSegments, 1));
    }

    static void PlotControl(DirectionTimeline sent, long time, in LedgerStep step)
    {
        bool isSyn = (step.Flags & TcpFlags.Syn) != 0;
        MarkKind kind = isSyn ? MarkKind.Syn : (step.Flags & TcpFlags.Rst) != 0 ? MarkKind.Rst : MarkKind.Fin;
        long at = kind switch
        {
            MarkKind.Syn => sent.OffsetOf(step.Start + -1, isSyn: true),
            MarkKind.Fin => sent.OffsetOf(step.Start + (step.Length - 1)),
            _ => sent.End, // the numbers of a reset need not fit
        };
        sent.Marks.Add(new Mark(time, kind, StackEventKind.None, at, at, step.PacketNumber, 1));
    }

    static void PlotSent(DirectionTimeline sent, long time, in LedgerStep step)
    {
        if (step.Sent == SentKind.None)
        {
            return;
        }

        long start = sent.OffsetOf(step.Start);
        long end = start + step.Length;
        if (step.Fresh > 0)
        {
            sent.Sent.Add(new TrackPoint(time, 0, end - step.Fresh, end - step.Fresh, end, end));
            sent.MoveTo(step.Start + step.Length);
        }

        if (step.Sent != SentKind.New)
        {
            sent.Marks.Add(MarkOf(sent, time, step));
        }
    }

    static MarkKind KindOf(in LedgerStep step) => step.Sent switch
    {
        SentKind.Late => MarkKind.Late,
        SentKind.WindowProbe => MarkKind.WindowProbe,
        SentKind.KeepAlive => MarkKind.KeepAlive,
        _ => step.Trigger switch
        {
            RetransmissionTrigger.Fast => MarkKind.FastRetransmission,
            RetransmissionTrigger.Tlp => MarkKind.TailLossProbe,
            RetransmissionTrigger.Rto => MarkKind.Timeout,
            RetransmissionTrigger.LostRetransmission => MarkKind.LostRetransmission,
            _ => MarkKind.Retransmission,
        },
    };

    static void PlotAck(DirectionTimeline acked, long time, in LedgerStep step)
    {
        long ack = acked.OffsetOf(step.Acknowledgment);
        if (step.Advance > 0 || acked.Acked.Items.IsEmpty)
        {
            acked.Acked.Add(TrackPoint.At(time, ack));
        }

        if (step.IsWindowKnown && (step.Flags & TcpFlags.Syn) == 0)
        {
            PlotWindow(acked, time, ack, step);
        }

        if (step.Rtt > 0)
        {
            acked.AddRtt(time, step.Rtt);
        }

        if (step.IsDuplicateAck)
        {
            acked.Sacks.Add(new Mark(time, MarkKind.DuplicateAck, StackEventKind.None, ack, ack, step.PacketNumber, 1));
        }

        for (int i = 0; i < step.SackBlockCount; i++)
        {
            SackBlock block = step.SackBlocks[i];
            MarkKind kind = i == 0 && step.IsDsack ? MarkKind.Dsack : MarkKind.Sack;
            acked.Sacks.Add(new Mark(time, kind, StackEventKind.None, acked.OffsetOf(block.Left), acked.OffsetOf(block.Right), step.PacketNumber, 1));
        }
    }

    static void PlotWindow(DirectionTimeline acked, long time, long ack, in LedgerStep step)
    {
        ReadOnlySpan<TrackPoint> windows = acked.ReceiveWindow.Items;
        if (windows.IsEmpty || windows[^1].Last != step.Window)
        {
            acked.ReceiveWindow.Add(TrackPoint.At(time, step.Window));
        }

        if (step.Window == 0)
        {
            acked.Marks.Add(new Mark(time, MarkKind.ZeroWindow, StackEventKind.None, ack, ack, step.PacketNumber, 1));
        }
    }

    static void PlotInFlight(DirectionTimeline direction, long time, int inFlight)
    {
        ReadOnlySpan<TrackPoint> points = direction.InFlight.Items;
        if (points.IsEmpty ? inFlight > 0 : points[^1].Last != inFlight)
        {
            direction.InFlight.Add(TrackPoint.At(time, inFlight));
        }
    }
}
