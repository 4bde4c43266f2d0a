using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Sender;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Shows the slow start of each sender to its <see cref="SlowStartWatch"/>, which is made when several segments are in flight. Send times of its own are kept
/// from the window on at which HyStart begins to test, up to the end of slow start: most connections never get there.
/// </summary>
sealed class SlowStartTracker
{
    readonly StructPool<SlowStartWatch> _watches = new();
    readonly StructPool<SendMarks> _marks = new();

    /// <summary>Nothing more is sent: what is given back from now on goes back to the system.</summary>
    public void Close()
    {
        _watches.Close();
        _marks.Close();
    }

    /// <summary>Takes in that new data was sent.</summary>
    /// <param name="limits">The sender after it.</param>
    /// <param name="now">When.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSent(ref SenderLimits limits, TraceTime now)
    {
        if (!limits.Start.IsAny)
        {
            Begin(ref limits);
            return;
        }

        if (limits.Start.Value.AwaitsDoubling && !limits.IsRecovering)
        {
            limits.Start.Value.OnDoubled(limits.InFlight, now);
        }

        if (limits.Marks.IsAny)
        {
            limits.Marks.Value.OnSent(limits.SndMax, now, limits.SrttNanos);
        }
        else if (limits.InFlight >= LinuxHyStart.LowCwndSegments * limits.Mss && !limits.Start.Value.IsOver)
        {
            limits.Marks = _marks.Take();
            limits.Marks.Value.Begin(limits.SndMax);
        }
    }

    /// <summary>In flight up to which <see cref="OnSent"/> takes nothing of a send that no acknowledgment came before.</summary>
    /// <param name="limits">The sender.</param>
    /// <returns>Bytes; 0 where each send is taken in.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int QuietBytes(in SenderLimits limits)
    {
        if (!limits.Start.IsAny)
        {
            return Thresholds.MinTrainSegments * limits.Mss;
        }

        ref readonly SlowStartWatch watch = ref limits.Start.Value;
        return limits.Marks.IsAny ? 0 : watch.IsOver ? watch.BytesToDouble : LinuxHyStart.LowCwndSegments * limits.Mss;
    }

    /// <summary>Takes in an acknowledgment of what is watched.</summary>
    /// <param name="limits">The sender after it.</param>
    /// <param name="acked">Its data; what sampled the round trips has taken the acknowledgment in.</param>
    /// <param name="segment">The acknowledgment.</param>
    /// <param name="inFlight">In flight before it, bytes.</param>
    /// <param name="peak">The same where it comes after data outside recovery; else 0.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAcknowledged(ref SenderLimits limits, in SendState acked, in Segment segment, int inFlight, int peak)
    {
        ref SlowStartWatch watch = ref limits.Start.Value;
        watch.OnFlight(peak); // the most since the acknowledgment before
        bool endsRound = segment.Ack.Advance > 0 && !limits.IsRecovering && watch.EndsRound(limits.SndUna);
        bool isSampled = !watch.IsOver && (limits.Marks.IsAny || segment.Ack.Sack.Count > 0);
        if (endsRound || isSampled || segment.Ack.Unseen > 0)
        {
            OnNews(ref limits, acked, segment, inFlight, endsRound);
        }
        else if (!watch.IsOver && segment.Ack.RttNanos > 0)
        {
            watch.OnLowWindow(segment.Time, limits.SndUna, limits.SndMax, segment.Ack.RttNanos);
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

    void OnNews(ref SenderLimits limits, in SendState acked, in Segment segment, int inFlight, bool endsRound)
    {
        ref SlowStartWatch watch = ref limits.Start.Value;
        if (segment.Ack.Unseen > 0)
        {
            watch.Interrupt();
            return;
        }

        SlowStartAck ack = Read(limits, acked, segment, inFlight);
        if (!watch.IsOver)
        {
            watch.OnSample(ack, limits.SrttNanos);
        }

        if (endsRound)
        {
            watch.OnRound(ack, limits.SrttNanos, limits.IsHeldElsewhere);
        }

        ReturnMarks(ref limits, watch.IsOver);
    }

    // Where the capture began later slow start may be over.
    void Begin(ref SenderLimits limits)
    {
        if (limits.Path is { IsAtSender: true, WasLearned: false } && limits.InFlight >= Thresholds.MinTrainSegments * limits.Mss && limits.SrttNanos > 0)
        {
            limits.Start = _watches.Take();
        }
    }

    void ReturnMarks(ref SenderLimits limits, bool isOver)
    {
        if (isOver && limits.Marks.IsAny)
        {
            _marks.Return(ref limits.Marks);
        }
    }

    // What arrived last is the newest data: the first block after a DSACK, if it brings news (RFC 2018 §4). Below the window at which marks are made, the send
    // times of RTT samples cover all that is in flight.
    static SlowStartAck Read(in SenderLimits limits, in SendState acked, in Segment segment, int inFlight)
    {
        int first = segment.Ack.IsDsack ? 1 : 0;
        bool isSack = segment.Ack.Sack.NewBytes > 0 && segment.Ack.Sack.Count > first;
        bool hasSample = isSack || (segment.Ack.Advance > 0 && !limits.IsRecovering);
        SequenceNumber end = isSack ? segment.Ack.Sack[first].Right : limits.SndUna;
        long rtt = hasSample && limits.Marks.IsAny ? limits.Marks.Value.AgeOf(end, segment.Time) : 0;
        if (hasSample && rtt == 0)
        {
            rtt = isSack ? acked.Rtt.AgeOf(acked.Flight.Value, end, segment.Time) : segment.Ack.RttNanos;
        }

        int window = limits.IsRecovering ? 0 : inFlight; // in a recovery samples count, and nothing is tested
        return new(new(segment.PacketNumber, segment.Time), limits.SndUna, limits.SndMax, window, limits.Mss, rtt, isSack);
    }
}
