using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Shows the slow start of each sender to its <see cref="SlowStartWatch"/>, which is made when several segments are in flight. Send times are kept up to the
/// end of slow start alone.
/// </summary>
sealed class SlowStartTracker
{
    readonly StructPool<SlowStartWatch> _watches = new();
    readonly StructPool<SendMarks> _marks = new();

    /// <summary>Takes in that new data was sent.</summary>
    /// <param name="limits">The sender after it.</param>
    /// <param name="now">When.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSent(ref SenderLimits limits, TraceTime now)
    {
        if (!limits.Start.IsAny)
        {
            Begin(ref limits);
        }

        if (limits.Marks.IsAny)
        {
            limits.Marks.Value.OnSent(limits.SndMax, now, limits.SrttNanos);
        }

        if (limits.Start.IsAny && !limits.IsRecovering)
        {
            limits.Start.Value.OnFlight(limits.InFlight, now);
        }
    }

    /// <summary>Takes in an acknowledgment of what is watched.</summary>
    /// <param name="limits">The sender after it.</param>
    /// <param name="segment">The acknowledgment.</param>
    /// <param name="inFlight">In flight before it, bytes.</param>
    public void OnAcknowledged(ref SenderLimits limits, in Segment segment, int inFlight)
    {
        ref SlowStartWatch watch = ref limits.Start.Value;
        if (segment.Ack.Unseen > 0)
        {
            watch.Interrupt();
            return;
        }

        SlowStartAck ack = Read(limits, segment, inFlight);
        long srtt = limits.SrttNanos;
        if (limits.Marks.IsAny)
        {
            watch.OnSample(ack, srtt);
            ReturnMarks(ref limits, watch.IsOver);
        }

        if (segment.Ack.Advance > 0 && !limits.IsRecovering)
        {
            watch.OnAcknowledged(ack, srtt, limits.IsHeldElsewhere);
        }
    }

    /// <summary>Gives back what a sender used.</summary>
    public void Release(ref SenderLimits limits)
    {
        ReturnMarks(ref limits, isOver: true);
        if (limits.Start.IsAny)
        {
            _watches.Return(ref limits.Start);
        }
    }

    // Where the capture began later slow start may be over.
    void Begin(ref SenderLimits limits)
    {
        if (limits.Path is { IsKnown: true, IsAway: false } && limits.InFlight >= Thresholds.MinTrainSegments * limits.Mss && limits.SrttNanos > 0)
        {
            limits.Start = _watches.Take();
            limits.Marks = _marks.Take();
        }
    }

    void ReturnMarks(ref SenderLimits limits, bool isOver)
    {
        if (isOver && limits.Marks.IsAny)
        {
            _marks.Return(ref limits.Marks);
        }
    }

    // What arrived last is the newest data: the first block after a DSACK, if it brings news (RFC 2018 §4).
    static SlowStartAck Read(in SenderLimits limits, in Segment segment, int inFlight)
    {
        int first = segment.Ack.IsDsack ? 1 : 0;
        bool isSack = segment.Ack.Sack.NewBytes > 0 && segment.Ack.Sack.Count > first;
        bool hasSample = limits.Marks.IsAny && (isSack || (segment.Ack.Advance > 0 && !limits.IsRecovering));
        SequenceNumber end = isSack ? segment.Ack.Sack[first].Right : limits.SndUna;
        long rtt = hasSample ? limits.Marks.Value.AgeOf(end, segment.Time) : 0;
        int window = limits.IsRecovering ? 0 : inFlight; // in a recovery samples count, and nothing is tested
        return new(new(segment.PacketNumber, segment.Time), limits.SndUna, limits.SndMax, window, limits.Mss, rtt, isSack);
    }
}
