using System;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Adds a segment to the timeline of its connection: its payload to one direction, its acknowledgment to the other.</summary>
static class SegmentPlotter
{
    // When connections compete for charts, a mark weighs as much as so many bytes.
    const int BytesPerMark = 1 << 16;

    /// <summary>Adds a segment; <paramref name="connection"/> is as it is after the segment.</summary>
    public static void Plot(ConnectionTimeline timeline, ref ConnectionState connection, int from, in Segment segment)
    {
        long time = timeline.MoveTo(segment.Time.Nanoseconds);
        DirectionTimeline sent = timeline.From(from);
        DirectionTimeline acked = timeline.From(from ^ 1);
        int marks = sent.Marks.Items.Length + acked.Marks.Items.Length;
        if ((segment.Flags & (TcpFlags.Syn | TcpFlags.Fin | TcpFlags.Rst)) != 0)
        {
            PlotControl(sent, time, segment);
        }

        if ((segment.Flags & TcpFlags.Rst) != 0)
        {
            return;
        }

        PlotSent(sent, time, segment);
        if ((segment.Flags & TcpFlags.Ack) != 0)
        {
            PlotAck(acked, time, segment);
            PlotInFlight(acked, time, connection.Ends[from ^ 1].Send.Space.InFlight);
        }

        PlotInFlight(sent, time, connection.Ends[from].Send.Space.InFlight);
        timeline.Weight += segment.Length + ((long)BytesPerMark * (sent.Marks.Items.Length + acked.Marks.Items.Length - marks));
    }

    /// <summary>The mark of a segment that is not simply new data.</summary>
    public static Mark MarkOf(DirectionTimeline sent, long time, in Segment segment)
    {
        long start = sent.OffsetOf(segment.Start);
        return new Mark(time, KindOf(segment), StackEventKind.None, start, start + segment.Length - segment.Sent.NewBytes, segment.PacketNumber,
            Math.Max(segment.Sent.WireSegments, 1));
    }

    static void PlotControl(DirectionTimeline sent, long time, in Segment segment)
    {
        bool isSyn = (segment.Flags & TcpFlags.Syn) != 0;
        MarkKind kind = isSyn ? MarkKind.Syn : (segment.Flags & TcpFlags.Rst) != 0 ? MarkKind.Rst : MarkKind.Fin;
        long at = kind switch
        {
            MarkKind.Syn => sent.OffsetOf(segment.Start + -1, isSyn: true),
            MarkKind.Fin => sent.OffsetOf(segment.Start + (segment.Length - 1)),
            _ => sent.End, // the sequence number of a reset may be anything
        };
        sent.Marks.Add(new Mark(time, kind, StackEventKind.None, at, at, segment.PacketNumber, 1));
    }

    static void PlotSent(DirectionTimeline sent, long time, in Segment segment)
    {
        if (segment.Sent.Kind == SentKind.None)
        {
            return;
        }

        long start = sent.OffsetOf(segment.Start);
        long end = start + segment.Length;
        if (segment.Sent.NewBytes > 0)
        {
            sent.Sent.Add(new TrackPoint(time, 0, end - segment.Sent.NewBytes, end - segment.Sent.NewBytes, end, end));
            sent.MoveTo(segment.Start + segment.Length);
        }

        if (segment.Sent.Kind != SentKind.New)
        {
            sent.Marks.Add(MarkOf(sent, time, segment));
        }
    }

    static MarkKind KindOf(in Segment segment) => segment.Sent.Kind switch
    {
        SentKind.Late => MarkKind.Late,
        SentKind.WindowProbe => MarkKind.WindowProbe,
        SentKind.KeepAlive => MarkKind.KeepAlive,
        _ => segment.Sent.Trigger switch
        {
            RetransmissionTrigger.Fast => MarkKind.FastRetransmission,
            RetransmissionTrigger.Tlp => MarkKind.TailLossProbe,
            RetransmissionTrigger.Rto => MarkKind.Timeout,
            RetransmissionTrigger.LostRetransmission => MarkKind.LostRetransmission,
            _ => MarkKind.Retransmission,
        },
    };

    static void PlotAck(DirectionTimeline acked, long time, in Segment segment)
    {
        long ack = acked.OffsetOf(segment.Ack.Number);
        if (segment.Ack.Advance > 0 || acked.Acked.Items.IsEmpty)
        {
            acked.Acked.Add(TrackPoint.At(time, ack));
        }

        if (segment.Ack.IsWindowKnown && (segment.Flags & TcpFlags.Syn) == 0)
        {
            PlotWindow(acked, time, ack, segment);
        }

        if (segment.Ack.RttNanos > 0)
        {
            acked.AddRtt(time, segment.Ack.RttNanos);
        }

        if (segment.Ack.IsDuplicate)
        {
            acked.Sacks.Add(new Mark(time, MarkKind.DuplicateAck, StackEventKind.None, ack, ack, segment.PacketNumber, 1));
        }

        for (int i = 0; i < segment.Ack.Sack.Count; i++)
        {
            SackBlock block = segment.Ack.Sack[i];
            MarkKind kind = i == 0 && segment.Ack.IsDsack ? MarkKind.Dsack : MarkKind.Sack;
            acked.Sacks.Add(new Mark(time, kind, StackEventKind.None, acked.OffsetOf(block.Left), acked.OffsetOf(block.Right), segment.PacketNumber, 1));
        }
    }

    static void PlotWindow(DirectionTimeline acked, long time, long ack, in Segment segment)
    {
        ReadOnlySpan<TrackPoint> windows = acked.ReceiveWindow.Items;
        if (windows.IsEmpty || windows[^1].Last != segment.Ack.Window)
        {
            acked.ReceiveWindow.Add(TrackPoint.At(time, segment.Ack.Window));
        }

        if (segment.Ack.Window == 0)
        {
            acked.Marks.Add(new Mark(time, MarkKind.ZeroWindow, StackEventKind.None, ack, ack, segment.PacketNumber, 1));
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
