using System;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Rates;

/// <summary>
/// The rate of a link, exact to the byte. It keeps one instant, the fluid finish time V: when a link without burst allowance would have sent every byte
/// so far. A packet that arrives at t moves V to max(V, t) + length/rate and is released at max(t, V − burst/rate): with no burst that is the end of
/// its serialisation, with a burst exactly the token bucket of that depth. V keeps the fraction of a nanosecond, so no rounding adds up.
/// </summary>
sealed class TokenBucket : ILinkRate
{
    const long BitNanosecondsPerByte = 8 * 1_000_000_000L;

    readonly long _rate;
    readonly long _burstNanos;
    TraceTime _finish = new(long.MinValue / 2);

    // The part of V below one nanosecond, in units of 1/rate ns; 0 … rate − 1.
    long _fraction;

    /// <summary>A link that has been idle.</summary>
    /// <param name="rateBitsPerSecond">At least 1.</param>
    /// <param name="burstBytes">Bytes that may pass at once after an idle time; 0 serialises every packet. At most 2³⁰.</param>
    public TokenBucket(long rateBitsPerSecond, long burstBytes)
    {
        _rate = rateBitsPerSecond;
        _burstNanos = (long)((decimal)burstBytes * BitNanosecondsPerByte / rateBitsPerSecond);
    }

    /// <summary>
    /// When the transmission of a packet arriving at <paramref name="now"/> can begin; if that is later than now, the packet waits in the queue.
    /// </summary>
    public TraceTime NextStart(TraceTime now)
    {
        TraceTime free = _finish + -_burstNanos;
        return free > now ? free : now;
    }

    /// <summary>Takes the tokens of a packet and returns when its last byte has left. 65,535 bytes × 8·10⁹ stays below 2⁶³.</summary>
    public TraceTime Take(TraceTime now, int lengthBytes)
    {
        if (_finish < now)
        {
            _finish = now;
            _fraction = 0;
        }

        long whole = Math.DivRem(lengthBytes * BitNanosecondsPerByte, _rate, out long rest);
        _fraction += rest;
        if (_fraction >= _rate)
        {
            _fraction -= _rate;
            whole++;
        }

        _finish += whole;
        TraceTime release = _finish + -_burstNanos;
        return release > now ? release : now;
    }
}
