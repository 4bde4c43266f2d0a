using System;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Places the events of a stack among the packets they explain: at their byte by the sequence number, at their packet by number and time.</summary>
static class EventPlacer
{
    /// <summary>Where an event stands that names no byte.</summary>
    public const long Nowhere = -1;

    // The event is logged before the segment is handed down (Windows) or right after (Linux); the capture point is below both.
    const long Before = 1_000_000; // ns
    const long Behind = 10_000_000; // ns

    /// <summary>Places the events.</summary>
    /// <param name="stack">Events whose bytes count from an unknown one.</param>
    /// <param name="direction">What the packets show of the same sender.</param>
    public static void Place(StackTimeline stack, DirectionTimeline direction)
    {
        bool hasBytes = !direction.Sent.Items.IsEmpty;
        long origin = hasBytes ? stack.Latest.Bytes - direction.OffsetOf(stack.Latest.Sequence) : 0;
        foreach (ref Mark told in stack.Events.Edit())
        {
            if (told.From != Nowhere)
            {
                told = told with { From = hasBytes ? told.From - origin : Nowhere, To = hasBytes ? told.To - origin : Nowhere };
            }

            if (IsSending(told.Event) && FindPacket(direction.Marks.After(told.Time - Before), told) is { } packet)
            {
                told = told with { Packet = packet };
            }
        }
    }

    static bool IsSending(StackEventKind kind) =>
        kind is StackEventKind.SegmentRetransmitted or StackEventKind.RetransmissionTimeout or StackEventKind.TailLossProbe;

    // Of the segments sent again about then, the first that holds the byte named; of events that name none, the first.
    static long? FindPacket(ReadOnlySpan<Mark> repairs, in Mark told)
    {
        foreach (ref readonly Mark repair in repairs)
        {
            if (repair.Time > told.Time + Behind)
            {
                break;
            }

            if (repair.Kind <= MarkKind.LostRetransmission && (told.From == Nowhere || (repair.From <= told.From && told.From < repair.To)))
            {
                return repair.Packet;
            }
        }

        return null;
    }
}
