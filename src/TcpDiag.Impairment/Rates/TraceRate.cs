using System;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Rates;

/// <summary>
/// A link that follows a <see cref="RateTrace"/>, as mm-link does: an opportunity nobody waits for is gone; a packet that fits into what an opportunity has
/// left goes with it, a longer one takes the next as well. It keeps the number of the first byte not given away yet, opportunity k holding the bytes from
/// 1500·k on.
/// </summary>
sealed class TraceRate(RateTrace trace, TraceTime start) : ILinkRate
{
    const long NanosPerMs = 1_000_000;

    readonly long _periodNanos = trace.PeriodMs * NanosPerMs;
    long _given;

    /// <inheritdoc/>
    public TraceTime NextStart(TraceTime now) => Later(now, TimeOf(Math.Max(_given, GoneBefore(now)) / RateTrace.OpportunityBytes));

    /// <inheritdoc/>
    public TraceTime Take(TraceTime now, int lengthBytes)
    {
        _given = Math.Max(_given, GoneBefore(now)) + lengthBytes;
        return Later(now, TimeOf((_given - 1) / RateTrace.OpportunityBytes));
    }

    // The opportunity of this very instant is not gone. 10¹² bit/s for a day are 10¹⁶ bytes, far below 2⁶³.
    long GoneBefore(TraceTime now)
    {
        long passed = now - start - 1;
        if (passed < 0)
        {
            return 0;
        }

        long rounds = Math.DivRem(passed, _periodNanos, out long into);
        return ((rounds * trace.Opportunities) + trace.CountUpTo((int)(into / NanosPerMs))) * RateTrace.OpportunityBytes;
    }

    TraceTime TimeOf(long opportunity)
    {
        long round = Math.DivRem(opportunity, trace.Opportunities, out long index);
        return start + ((round * _periodNanos) + (trace.MsOf((int)index) * NanosPerMs));
    }

    static TraceTime Later(TraceTime one, TraceTime other) => one > other ? one : other;
}
