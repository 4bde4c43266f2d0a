using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// HyStart++ (RFC 9406): leaves slow start when the delay grows, before the queue overflows, by way of conservative slow start (CSS), and
/// returns when the growth was jitter. Only for the first slow start of a connection (§4.3). The default value is its start.
/// </summary>
public struct HyStart
{
    /// <summary>CSS_ROUNDS (RFC 9406 §4.3).</summary>
    public const int CssRounds = 5;

    /// <summary>CSS_GROWTH_DIVISOR (RFC 9406 §4.3).</summary>
    public const int CssGrowthDivisor = 4;

    /// <summary>L without pacing (RFC 9406 §4.3): segments by which cwnd grows per acknowledgment at most.</summary>
    public const int LWithoutPacing = 8;

    DelayIncrease _delay;
    long _cssBaselineMinRttNanos;
    int _cssRoundsDone;

    /// <summary>The current phase.</summary>
    public HyStartPhase Phase { get; private set; }

    /// <summary>An acknowledgment arrived in slow start.</summary>
    /// <param name="sndUna">SND.UNA after it.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="rttNanos">Its round-trip sample in ns; 0 when it gave none.</param>
    public void OnAckReceived(SequenceNumber sndUna, SequenceNumber sndNxt, long rttNanos)
    {
        bool endsRound = _delay.OnAckReceived(sndUna, sndNxt, rttNanos);
        if (Phase == HyStartPhase.SlowStart && _delay.HasGrown)
        {
            Phase = HyStartPhase.ConservativeSlowStart;
            _cssBaselineMinRttNanos = _delay.CurrentRoundMinRttNanos;
            _cssRoundsDone = 0;
        }
        else if (Phase == HyStartPhase.ConservativeSlowStart)
        {
            ContinueCss(endsRound);
        }
    }

    /// <summary>Loss or an ECN mark ends slow start of either kind.</summary>
    public void OnCongestion() => Phase = HyStartPhase.Done;

    /// <summary>By how much cwnd grows on an acknowledgment: min(N, L·SMSS), a quarter of it in CSS.</summary>
    /// <param name="ackedBytes">N: bytes newly acknowledged.</param>
    /// <param name="smss">SMSS in bytes.</param>
    /// <param name="l">L; <see cref="LWithoutPacing"/>, or <see cref="int.MaxValue"/> with pacing.</param>
    /// <returns>Bytes; 0 once slow start is over.</returns>
    public readonly long Growth(long ackedBytes, int smss, int l = LWithoutPacing)
    {
        long growth = Math.Min(ackedBytes, (long)l * smss);
        return Phase switch
        {
            HyStartPhase.SlowStart => growth,
            HyStartPhase.ConservativeSlowStart => growth / CssGrowthDivisor,
            _ => 0,
        };
    }

    // The round in which CSS began counts, though only part of it was slow.
    void ContinueCss(bool endsRound)
    {
        _cssRoundsDone += endsRound ? 1 : 0;
        if (_delay.HasEnoughSamples && _delay.CurrentRoundMinRttNanos < _cssBaselineMinRttNanos)
        {
            Phase = HyStartPhase.SlowStart;
        }
        else if (_cssRoundsDone >= CssRounds)
        {
            Phase = HyStartPhase.Done;
        }
    }
}

/// <summary>The phases of HyStart++ (RFC 9406 §4.2).</summary>
public enum HyStartPhase
{
    /// <summary>Standard slow start, watching the delay.</summary>
    SlowStart,

    /// <summary>Conservative slow start: the delay has grown; slower growth for some rounds shows whether it stays.</summary>
    ConservativeSlowStart,

    /// <summary>Slow start is over: ssthresh becomes cwnd, or what congestion control sets on loss.</summary>
    Done,
}

/// <summary>
/// The delay test of HyStart++ (RFC 9406 §4.2): the smallest RTT of each round, compared with that of the round before. A round ends when
/// what was SND.NXT at its start is acknowledged. The default value is the start of slow start.
/// </summary>
public struct DelayIncrease
{
    /// <summary>N_RTT_SAMPLE (RFC 9406 §4.3): samples a round needs before its delay is compared.</summary>
    public const int SamplesNeeded = 8;

    const long MinRttThreshNanos = 4_000_000; // RFC 9406 §4.3
    const long MaxRttThreshNanos = 16_000_000; // RFC 9406 §4.3
    const int MinRttDivisor = 8; // RFC 9406 §4.3

    SequenceNumber? _windowEnd;
    int _samples;

    /// <summary>lastRoundMinRTT in ns; 0 while unknown.</summary>
    public long LastRoundMinRttNanos { get; private set; }

    /// <summary>currentRoundMinRTT in ns; 0 while unknown.</summary>
    public long CurrentRoundMinRttNanos { get; private set; }

    /// <summary>Whether the round has enough samples to be compared.</summary>
    public readonly bool HasEnoughSamples => _samples >= SamplesNeeded;

    /// <summary>Whether the delay grew past the threshold since the last round.</summary>
    public readonly bool HasGrown =>
        HasEnoughSamples && LastRoundMinRttNanos > 0 && CurrentRoundMinRttNanos >= LastRoundMinRttNanos + RttThreshNanos(LastRoundMinRttNanos);

    /// <summary>RttThresh: an eighth of the last round's minimum, held between 4 and 16 ms.</summary>
    /// <param name="lastRoundMinRttNanos">lastRoundMinRTT in ns.</param>
    /// <returns>ns.</returns>
    public static long RttThreshNanos(long lastRoundMinRttNanos) => Math.Clamp(lastRoundMinRttNanos / MinRttDivisor, MinRttThreshNanos, MaxRttThreshNanos);

    /// <summary>An acknowledgment arrived.</summary>
    /// <param name="sndUna">SND.UNA after it.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="rttNanos">Its round-trip sample in ns; 0 when it gave none.</param>
    /// <returns>True when a round ended with it; the sample counts for the next one.</returns>
    public bool OnAckReceived(SequenceNumber sndUna, SequenceNumber sndNxt, long rttNanos)
    {
        bool endsRound = _windowEnd is { } end && sndUna >= end;
        if (endsRound)
        {
            LastRoundMinRttNanos = CurrentRoundMinRttNanos;
            CurrentRoundMinRttNanos = 0;
            _samples = 0;
        }

        _windowEnd = endsRound ? sndNxt : _windowEnd ?? sndNxt;
        if (rttNanos > 0)
        {
            CurrentRoundMinRttNanos = CurrentRoundMinRttNanos == 0 ? rttNanos : Math.Min(CurrentRoundMinRttNanos, rttNanos);
            _samples++;
        }

        return endsRound;
    }
}
