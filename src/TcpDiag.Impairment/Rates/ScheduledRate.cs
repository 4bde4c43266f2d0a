using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Rates;

/// <summary>
/// A rate that changes at given instants, exact to the byte. Where <see cref="TokenBucket"/> keeps an instant, this keeps an amount: with C(t) the bits that
/// the link could have sent by t (piecewise linear), F = max(F, C(t)) + length is what it has been asked for, and a packet is released when C reaches
/// F − burst. A change in the middle of a packet counts for the rest of it.
/// </summary>
sealed class ScheduledRate : ILinkRate
{
    const ulong BitNanosecondsPerByte = 8 * 1_000_000_000UL;

    // Stands for "no limit" between limited phases: 12 ns for 1500 bytes. A day of it is 8.64·10²⁵ bit·ns, far below 2¹²⁸.
    const long Unlimited = 1_000_000_000_000;

    readonly Phase[] _phases;
    readonly UInt128 _burst;
    UInt128 _asked;

    /// <summary>A link that has been idle.</summary>
    /// <param name="rates">From when on which rate in bit/s holds, ascending; the first holds before as well. 0 does not limit.</param>
    /// <param name="burstBytes">Bytes that may pass at once after an idle time.</param>
    public ScheduledRate(IReadOnlyList<(TraceTime From, long BitsPerSecond)> rates, long burstBytes)
    {
        _phases = new Phase[rates.Count];
        _burst = (UInt128)(ulong)burstBytes * BitNanosecondsPerByte;
        UInt128 sent = 0;
        for (int i = 0; i < _phases.Length; i++)
        {
            (TraceTime from, long rate) = rates[i];
            sent += i == 0 ? 0 : (UInt128)(ulong)(from - _phases[i - 1].From) * (ulong)_phases[i - 1].Rate;
            _phases[i] = new Phase(from, rate > 0 ? rate : Unlimited, sent);
        }
    }

    /// <inheritdoc/>
    public TraceTime NextStart(TraceTime now) => Later(now, Reached(_asked > _burst ? _asked - _burst : 0));

    /// <inheritdoc/>
    public TraceTime Take(TraceTime now, int lengthBytes)
    {
        UInt128 could = Could(now);
        _asked = (_asked > could ? _asked : could) + ((UInt128)(ulong)lengthBytes * BitNanosecondsPerByte);
        return NextStart(now);
    }

    // C(t): bit·ns per second, i.e. bits × 10⁹.
    UInt128 Could(TraceTime now)
    {
        int at = _phases.Length - 1;
        while (at > 0 && now < _phases[at].From)
        {
            at--;
        }

        Phase phase = _phases[at];
        return now > phase.From ? phase.Sent + ((UInt128)(ulong)(now - phase.From) * (ulong)phase.Rate) : phase.Sent;
    }

    TraceTime Reached(UInt128 amount)
    {
        int at = _phases.Length - 1;
        while (at > 0 && amount < _phases[at].Sent)
        {
            at--;
        }

        Phase phase = _phases[at];
        UInt128 nanos = (amount - phase.Sent) / (ulong)phase.Rate;
        return phase.From + (nanos < long.MaxValue / 2 ? (long)nanos : long.MaxValue / 2);
    }

    static TraceTime Later(TraceTime one, TraceTime other) => one > other ? one : other;

    [StructLayout(LayoutKind.Auto)]
    readonly record struct Phase(TraceTime From, long Rate, UInt128 Sent);
}
