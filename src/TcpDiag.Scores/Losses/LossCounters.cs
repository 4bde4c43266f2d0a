using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>The counts behind the components of loss detection.</summary>
sealed class LossCounters
{
    // From here on a fixed window and one that follows DSACKs differ by more than the tolerance.
    const int MinGrownMult = 3;

    // A repair is in time that comes within a step of the window, and a tick of the coarsest timer in use (15.6 ms on Windows).
    const long TickNanos = 16_000_000;

    const int PerMille = 1_000;
    const int StepsPerMinRtt = 4;

    /// <summary>Packets that others overtook by no more than SRTT, whether they had to be waited for or not.</summary>
    public RateCounter Overtaken { get; } = new();

    /// <summary>Late packets within the least window there is.</summary>
    public RateCounter LateWithinWindow { get; } = new();

    /// <summary>Late packets beyond the window of the reference, within SRTT.</summary>
    public RateCounter LateWithinSrtt { get; } = new();

    /// <summary>Packets that one to two others overtook, within the least window.</summary>
    public RateCounter Early { get; } = new();

    /// <summary>The same beyond the window of the reference, within SRTT.</summary>
    public RateCounter EarlyWithinSrtt { get; } = new();

    /// <summary>Chances to show a window that has grown.</summary>
    public RateCounter Adaptation { get; } = new();

    /// <summary>Necessary retransmissions that began a recovery.</summary>
    public RateCounter Detection { get; } = new();

    /// <summary>Lost retransmissions.</summary>
    public RateCounter LostRetransmissions { get; } = new();

    /// <summary>Losses at a tail.</summary>
    public RateCounter TailLosses { get; } = new();

    /// <summary>Timeouts.</summary>
    public RateCounter Timeouts { get; } = new();

    /// <summary>By how much necessary retransmissions came after the reference's, ns; negative when before.</summary>
    public Durations Lags { get; } = new();

    /// <summary>The window in force before DSACKs could have widened it, thousandths of min_RTT.</summary>
    public Durations WindowAtFirst { get; } = new();

    /// <summary>The window in force when DSACKs should have widened it, thousandths of min_RTT.</summary>
    public Durations WindowGrown { get; } = new();

    /// <summary>How late packets came that were waited for, ns past a round trip.</summary>
    public Durations Waited { get; } = new();

    /// <summary>How long before the reference a segment was sent again needlessly, ns past a round trip.</summary>
    public Durations NotWaited { get; } = new();

    /// <summary>A segment that was overtaken is delivered, and was not sent again.</summary>
    public void OnFilled(in Hole hole, TraceTime now, long srttNanos, long stepNanos, int narrowMult)
    {
        bool isLong = hole.SeenBy(Candidate.FixedLatest) <= now + -FingerprintEvidence.ReactionNanos(stepNanos);
        if (narrowMult >= MinGrownMult && isLong && !hole.WasInRecovery && stepNanos >= FingerprintEvidence.MinStepNanos)
        {
            Adaptation.Hit();
        }

        if (hole.IsLowest && now <= hole.WindowStart + srttNanos)
        {
            Overtaken.Hit();
            CounterFor(hole, now)?.Hit();
            Waited.Add(Math.Max(now - hole.WindowStart, 0));
        }
    }

    /// <summary>A segment that was overtaken is sent again by loss detection.</summary>
    public void OnRepaired(in Repair repair, bool reorderingSeen, int narrowMult)
    {
        // A retransmission that does not begin a recovery may have waited for PRR.
        if (!repair.IsFirst || !reorderingSeen || repair.Path.StepNanos < FingerprintEvidence.MinStepNanos)
        {
            return;
        }

        long window = Math.Max(repair.Time - repair.Hole.WindowStart, 0);
        long perMille = window * PerMille / (repair.Path.StepNanos * StepsPerMinRtt);
        (narrowMult >= MinGrownMult ? WindowGrown : WindowAtFirst).Add(perMille);
        if (narrowMult >= MinGrownMult)
        {
            Add(Adaptation, repair, repair.Hole.DueBy(Candidate.AdaptiveSoonest) - repair.Time, limitNanos: 0);
        }
    }

    /// <summary>It is known whether a segment that was sent again had to be.</summary>
    public void OnVerdict(in Repair repair, RetransmissionNeed need, TraceTime? delivered)
    {
        bool isByDetection = repair.Trigger is not (RetransmissionTrigger.Rto or RetransmissionTrigger.Tlp);
        bool isNecessary = need == RetransmissionNeed.Necessary;
        if (repair.HasHole && isByDetection && need == RetransmissionNeed.Spurious && delivered is { } time)
        {
            OnNeedless(repair, time);
        }

        if (repair.HasHole && isNecessary)
        {
            OnNecessary(repair, isByDetection);
        }

        if (repair.Trigger == RetransmissionTrigger.Tlp && isNecessary)
        {
            TailLosses.Hit();
        }

        if (repair.Timeout.IsAny)
        {
            OnTimeout(repair, need);
        }
    }

    void OnNeedless(in Repair repair, TraceTime delivered)
    {
        if (!repair.Hole.WasRetransmitted && repair.Hole.IsLowest && delivered <= repair.Hole.WindowStart + repair.Path.SrttNanos)
        {
            Overtaken.Miss(repair.Packet, repair.Time, nanos: 0);
            CounterFor(repair.Hole, delivered)?.Miss(repair.Packet, repair.Time, Math.Max(delivered - repair.Time, 0));
            NotWaited.Add(Math.Max(repair.Time - repair.Hole.WindowStart, 0));
        }
    }

    void OnNecessary(in Repair repair, bool isByDetection)
    {
        bool isDeclared = repair.Hole.DueBy(Candidate.Reference) <= repair.Time;
        if (repair.Hole.WasRetransmitted)
        {
            if (isByDetection)
            {
                LostRetransmissions.Hit();
            }
            else if (isDeclared && repair.Timeout.IsAny)
            {
                LostRetransmissions.Miss(repair.Packet, repair.Time, repair.Time - repair.Hole.DueBy(Candidate.Reference));
            }

            return;
        }

        if ((repair.IsFirst || repair.Timeout.IsAny) && repair.Hole.DueBy(Candidate.Reference) < TraceTime.Latest)
        {
            long lag = repair.Time - repair.Hole.DueBy(Candidate.Reference);
            Lags.Add(lag);
            Add(Detection, repair, lag, repair.Path.StepNanos + TickNanos);
        }
    }

    void OnTimeout(in Repair repair, RetransmissionNeed need)
    {
        bool isSpurious = need == RetransmissionNeed.Spurious;
        if (!isSpurious && repair.Timeout.ProbeDue < TraceTime.Latest)
        {
            TailLosses.Miss(repair.Packet, repair.Time, repair.Time - repair.Timeout.ProbeDue);
        }

        if (isSpurious || repair.Timeout.WasAvoidable)
        {
            Timeouts.Miss(repair.Packet, repair.Time, repair.Path.SrttNanos);
        }
        else if (need == RetransmissionNeed.Necessary)
        {
            Timeouts.Hit();
        }
    }

    // Apart, so that each rate is the sender's and not the path's: how late packets come. Every RACK waits for the least window there is. For one that has
    // grown with DSACKs only some wait: that is Adaptation. And beyond that of the reference nobody has to, but may up to SRTT, the bound of the window.
    RateCounter? CounterFor(in Hole hole, TraceTime delivered)
    {
        bool isWaitedFor = hole.DueBy(Candidate.Reference) > delivered;
        bool isEarly = hole.SackedAbove < ReorderingWindow.DupThresh;
        return !isWaitedFor ? (isEarly ? EarlyWithinSrtt : LateWithinSrtt)
            : hole.DueBy(Candidate.FixedSoonest) <= delivered ? null
            : isEarly ? Early
            : LateWithinWindow;
    }

    static void Add(RateCounter counter, in Repair repair, long nanos, long limitNanos)
    {
        if (nanos <= limitNanos)
        {
            counter.Hit();
        }
        else
        {
            counter.Miss(repair.Packet, repair.Time, nanos);
        }
    }
}
