using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// Reads from a stack's events why it sends data again, where they name the sequence number: a tail loss probe with its data (1385), the retransmission timer with SND.UNA (1351 and those before it), a segment
/// that was found lost (1552; one that had been sent again before names itself so), early retransmit (1415) and a send in loss recovery (1418 … 1421).
/// Linux tells that it sends again, and not why (docs/formats/stack-events.md).
/// </summary>
static class ReasonReader
{
    /// <summary>Reads an event.</summary>
    /// <param name="told">The event.</param>
    /// <param name="reasons">Gets what it names; made with the first.</param>
    /// <returns>Whether it names a reason.</returns>
    public static bool TryRead(StackEvent told, ref ResendReasons? reasons)
    {
        (RetransmissionTrigger trigger, StackField field) = told.Kind switch
        {
            StackEventKind.TailLossProbe => (RetransmissionTrigger.Tlp, StackField.SeqNo),
            StackEventKind.RetransmissionTimeout => (RetransmissionTrigger.Rto, StackField.SndUna),
            StackEventKind.SegmentLost => (LossOf(told), StackField.SeqNo),
            StackEventKind.SegmentRetransmitted when told.Has(StackField.SeqNo) => (RetransmissionTrigger.Fast, StackField.SeqNo),
            StackEventKind.SegmentRetransmitted => (RetransmissionTrigger.Fast, StackField.SndNxt),
            _ => default,
        };
        if (trigger == RetransmissionTrigger.Unknown || !told.TryGet(field, out long number))
        {
            return false;
        }

        var start = new SequenceNumber(unchecked((uint)number));
        bool hasEnd = told.Kind == StackEventKind.SegmentLost & told.TryGet(StackField.EndSeq, out long last);
        var end = new SequenceNumber(unchecked((uint)last));
        (reasons ??= new ResendReasons()).Add(start, hasEnd && end > start ? end : start + 1, trigger);
        return true;
    }

    // That a segment is marked to be sent again (1584) says nothing of the reason.
    static RetransmissionTrigger LossOf(StackEvent told) =>
        !told.TryGet(StackField.EverRetransmitted, out long ever) ? RetransmissionTrigger.Unknown
        : ever != 0 ? RetransmissionTrigger.LostRetransmission
        : RetransmissionTrigger.Fast;
}
