using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// CUBIC (RFC 9438). Windows are segments, as in the RFC (§4.1), and may be fractions. The caller decides how far slow start grows (RFC 5681,
/// <see cref="HyStart"/>) and reports a congestion event once per window of data. The value is its own undo record (§4.9): keep a copy
/// from before a reduction and pass it to <see cref="Undo"/>.
/// </summary>
public struct Cubic
{
    /// <summary>β_cubic (§4.6): the factor of a reduction.</summary>
    public const double Beta = 0.7;

    /// <summary>C in segments/s³ (§5.1).</summary>
    public const double C = 0.4;

    /// <summary>α_cubic (§4.3): additive increase that gives Reno's average window with this β.</summary>
    public const double Alpha = 3 * (1 - Beta) / (1 + Beta);

    const double SecondsPerNanosecond = 1e-9;
    const double MinSsthresh = 2; // §4.6

    readonly CubicIncrement _increment;

    // cwnd before the last reduction (cwnd_prior).
    double _cwndPrior;

    // When the stage of congestion avoidance began, moved on by the time that does not count; null before its first acknowledgment.
    TraceTime? _epoch;
    TraceTime _lastAck;

    // The next stage starts with K = 0 and W_max = cwnd: after a timeout (§4.8) or slow start without loss (§4.10).
    bool _startsFlat;

    /// <summary>A connection in slow start.</summary>
    /// <param name="initialWindowSegments">The initial window.</param>
    /// <param name="increment">How the increment of §4.4 is applied.</param>
    public Cubic(double initialWindowSegments, CubicIncrement increment = CubicIncrement.PerAck)
    {
        CwndSegments = initialWindowSegments;
        SsthreshSegments = double.PositiveInfinity;
        _increment = increment;
        _startsFlat = true;
    }

    /// <summary>cwnd.</summary>
    public double CwndSegments { get; private set; }

    /// <summary>ssthresh; infinite before the first reduction.</summary>
    public double SsthreshSegments { get; private set; }

    /// <summary>W_max: the window at which the curve is flat.</summary>
    public double WMaxSegments { get; private set; }

    /// <summary>K in seconds: when the curve reaches W_max.</summary>
    public double KSeconds { get; private set; }

    /// <summary>W_est: the window Reno would have (§4.3).</summary>
    public double WEstSegments { get; private set; }

    /// <summary>Whether cwnd is below ssthresh.</summary>
    public readonly bool InSlowStart => CwndSegments < SsthreshSegments;

    /// <summary>W_cubic(t) = C·(t − K)³ + W_max (§4.2, figure 1).</summary>
    /// <param name="seconds">t: seconds of the current stage.</param>
    /// <returns>Segments.</returns>
    public readonly double WCubic(double seconds)
    {
        double distance = seconds - KSeconds;
        return (C * distance * distance * distance) + WMaxSegments;
    }

    /// <summary>An acknowledgment of new data in slow start.</summary>
    /// <param name="growthSegments">How far slow start grows on it; cwnd stops at ssthresh.</param>
    /// <param name="isCwndLimited">Whether cwnd limits the sender; it does not grow otherwise (§5.8).</param>
    public void OnSlowStartAck(double growthSegments, bool isCwndLimited) =>
        CwndSegments = isCwndLimited ? Math.Min(CwndSegments + growthSegments, Math.Max(SsthreshSegments, CwndSegments)) : CwndSegments;

    /// <summary>An acknowledgment of new data in congestion avoidance (§4.2–§4.5).</summary>
    /// <param name="now">When it arrived.</param>
    /// <param name="segmentsAcked">segments_acked, more than 0.</param>
    /// <param name="srttNanos">SRTT in ns.</param>
    /// <param name="isCwndLimited">
    /// Whether cwnd limits the sender. Otherwise cwnd stays, and the time since the previous acknowledgment does not count (§4.2, §5.8).
    /// </param>
    public void OnAvoidanceAck(TraceTime now, double segmentsAcked, long srttNanos, bool isCwndLimited)
    {
        TraceTime epoch = _epoch ?? BeginStage(now);
        if (!isCwndLimited)
        {
            _epoch = epoch + (now - _lastAck);
            _lastAck = now;
            return;
        }

        _lastAck = now;
        double t = (now - epoch) * SecondsPerNanosecond;
        WEstSegments += (WEstSegments >= _cwndPrior ? 1 : Alpha) * segmentsAcked / CwndSegments; // figure 4
        CwndSegments = WCubic(t) < WEstSegments ? Math.Max(WEstSegments, CwndSegments) : Grow(t, srttNanos, segmentsAcked);
    }

    /// <summary>Loss was detected (§4.6, §4.7).</summary>
    /// <param name="flightSegments">FlightSize; a stack may use cwnd instead if it does not grow past what is in flight.</param>
    public void OnLoss(double flightSegments)
    {
        Reduce(flightSegments);
        CwndSegments = SsthreshSegments;
    }

    /// <summary>An ECN echo arrived (§4.6): cwnd may fall to one segment.</summary>
    /// <param name="flightSegments">FlightSize.</param>
    public void OnEcnEcho(double flightSegments)
    {
        Reduce(flightSegments);
        CwndSegments = Math.Max(Beta * flightSegments, 1);
    }

    /// <summary>The retransmission timer expired (§4.8): as in Reno, with β.</summary>
    /// <param name="flightSegments">FlightSize.</param>
    /// <param name="isRepeated">Whether it had expired for the same segment before; ssthresh then stays (RFC 5681 §3.1).</param>
    public void OnTimeout(double flightSegments, bool isRepeated)
    {
        if (!isRepeated)
        {
            Reduce(flightSegments);
        }

        _startsFlat = true;
        CwndSegments = 1;
    }

    /// <summary>Slow start ends without loss (§4.10).</summary>
    public void OnSlowStartExit()
    {
        SsthreshSegments = CwndSegments;
        _cwndPrior = CwndSegments;
        _epoch = null;
        _startsFlat = true;
    }

    /// <summary>The path has to be probed anew after an idle time (§5.8, RFC 5681 §4.1): slow start up to ssthresh, then a new stage.</summary>
    /// <param name="restartWindowSegments">RW (<see cref="IdleRestart"/>).</param>
    public void OnIdle(double restartWindowSegments)
    {
        CwndSegments = Math.Min(CwndSegments, restartWindowSegments);
        _epoch = null;
    }

    /// <summary>Sending goes on after nothing was outstanding: the time since the last acknowledgment does not count (§4.2, §5.8).</summary>
    /// <param name="now">When the first segment leaves.</param>
    public void OnSendAfterIdle(TraceTime now)
    {
        if (_epoch is { } epoch && now > _lastAck)
        {
            _epoch = epoch + (now - _lastAck);
            _lastAck = now;
        }
    }

    /// <summary>Undoes a reduction that proved unnecessary (§4.9), unless cwnd is past the saved one already.</summary>
    /// <param name="saved">A copy from before the reduction.</param>
    /// <returns>True when the state was restored.</returns>
    public bool Undo(in Cubic saved)
    {
        if (CwndSegments > saved.CwndSegments)
        {
            return false;
        }

        this = saved;
        return true;
    }

    // Begins a stage: cwnd_epoch = cwnd, K = cbrt((W_max − cwnd_epoch) / C) (§4.2, figure 2).
    TraceTime BeginStage(TraceTime now)
    {
        if (_startsFlat || WMaxSegments < CwndSegments)
        {
            WMaxSegments = CwndSegments;
        }

        _startsFlat = false;
        KSeconds = Math.Cbrt((WMaxSegments - CwndSegments) / C);
        WEstSegments = CwndSegments;
        _lastAck = now;
        _epoch = now;
        return now;
    }

    // §4.4, §4.5: towards W_cubic(t + RTT), which is held between cwnd and 1.5·cwnd (§4.2).
    readonly double Grow(double t, long srttNanos, double segmentsAcked)
    {
        double target = Math.Clamp(WCubic(t + (srttNanos * SecondsPerNanosecond)), CwndSegments, 1.5 * CwndSegments);
        double times = _increment == CubicIncrement.PerSegment ? segmentsAcked : 1;
        return CwndSegments + (times * (target - CwndSegments) / CwndSegments);
    }

    // §4.6 with fast convergence (§4.7): a window that did not reach the last maximum leaves room for others.
    void Reduce(double flightSegments)
    {
        WMaxSegments = CwndSegments < WMaxSegments ? CwndSegments * (1 + Beta) / 2 : CwndSegments;
        _cwndPrior = CwndSegments;
        SsthreshSegments = Math.Max(Beta * flightSegments, MinSsthresh);
        _epoch = null;
        _startsFlat = false;
    }
}

/// <summary>How often CUBIC's increment of RFC 9438 §4.4 is applied; stacks differ.</summary>
public enum CubicIncrement
{
    /// <summary>Once per acknowledgment, as the RFC has it.</summary>
    PerAck,

    /// <summary>Once per segment acknowledged, as reported erratum 9186 asks: independent of delayed acknowledgments.</summary>
    PerSegment,
}
