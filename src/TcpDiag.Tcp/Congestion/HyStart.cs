using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// HyStart++ (RFC 9406): leaves slow start when the delay grows, before the queue overflows, by way of conservative slow start (CSS), and goes
/// back when the growth was jitter. Only for the first slow start of a connection (§4.3). The default value is its start.
/// </summary>
public struct HyStart
{
    /// <summary>CSS_ROUNDS (RFC 9406 §4.3).</summary>
    public const int CssRounds = 5;

    /// <summary>CSS_GROWTH_DIVISOR (RFC 9406 §4.3).</summary>
    public const int CssGrowthDivisor = 4;

    /// <summary>L without pacing (RFC 9406 §4.3): at most so many segments of growth per acknowledgment.</summary>
    public const int LWithoutPacing = 8;

    DelayIncrease _delay;
    long _cssBaselineMinRttNs;
    int _cssRoundsDone;

    /// <summary>Where it stands.</summary>
    public HyStartPhase Phase { get; private set; }

    /// <summary>Takes an acknowledgment of slow start.</summary>
    /// <param name="sndUna">SND.UNA after it.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="rttNs">Its round-trip sample in ns; 0 when it gave none.</param>
    public void OnAckReceived(SequenceNumber sndUna, SequenceNumber sndNxt, long rttNs)
    {
        bool endsRound = _delay.OnAckReceived(sndUna, sndNxt, rttNs);
        if (Phase == HyStartPhase.SlowStart && _delay.HasGrown)
        {
            Phase = HyStartPhase.ConservativeSlowStart;
            _cssBaselineMinRttNs = _delay.CurrentRoundMinRttNs;
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

    // The round in which CSS began counts, though only its rest was slow.
    void ContinueCss(bool endsRound)
    {
        _cssRoundsDone += endsRound ? 1 : 0;
        if (_delay.IsJudgeable && _delay.CurrentRoundMinRttNs < _cssBaselineMinRttNs)
        {
            Phase = HyStartPhase.SlowStart;
        }
        else if (_cssRoundsDone >= CssRounds)
        {
            Phase = HyStartPhase.Done;
        }
    }
}
