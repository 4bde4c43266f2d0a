using System;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Turns the time stamps of one interface into nanoseconds since the Unix epoch, by if_tsresol and if_tsoffset
/// (draft-ietf-opsawg-pcapng, "Interface Description Block"). Parts of a nanosecond are cut off; times that 64 bits of
/// nanoseconds cannot hold (after the year 2262) wrap.
/// </summary>
readonly struct TimestampScale
{
    /// <summary>if_tsresol where it is not told: microseconds.</summary>
    public const byte DefaultResolution = 6;

    const byte BinaryFlag = 0x80;
    const int DecimalsOfNanosecond = 9;
    const long NanosecondsPerSecond = 1_000_000_000;

    // One of these is in use: nanoseconds per unit, units per nanosecond, or the power of two (both others 0).
    readonly ulong _multiplier;
    readonly ulong _divisor;
    readonly int _shift;
    readonly long _offset;

    /// <summary>Prepares the conversion.</summary>
    /// <param name="resolution">if_tsresol: units of 10^-n seconds, or with the highest bit set 2^-n seconds.</param>
    /// <param name="offsetSeconds">if_tsoffset.</param>
    public TimestampScale(byte resolution, long offsetSeconds)
    {
        _offset = unchecked(offsetSeconds * NanosecondsPerSecond);
        if ((resolution & BinaryFlag) != 0)
        {
            _shift = resolution & ~BinaryFlag;
        }
        else if (resolution <= DecimalsOfNanosecond)
        {
            _multiplier = PowerOfTen(DecimalsOfNanosecond - resolution);
        }
        else
        {
            _divisor = PowerOfTen(resolution - DecimalsOfNanosecond);
        }
    }

    /// <summary>Converts a time stamp.</summary>
    /// <param name="units">As it stands in the block.</param>
    /// <returns>Nanoseconds since the Unix epoch.</returns>
    public long ToNanoseconds(ulong units) =>
        _multiplier != 0 ? unchecked((long)(units * _multiplier) + _offset) : unchecked(ToNanosecondsSlow(units) + _offset);

    // units < 2^64 and 10^9 < 2^30, so the product stays below 2^94.
    long ToNanosecondsSlow(ulong units) => _divisor != 0
        ? (long)(units / _divisor)
        : unchecked((long)(ulong)(((UInt128)units * (ulong)NanosecondsPerSecond) >> _shift));

    // 10^19 is the largest power that 64 bits hold; any time stamp divided by a higher one is 0, and by 2^64-1 at most 1.
    static ulong PowerOfTen(int exponent)
    {
        ulong power = 1;
        for (int i = 0; i < exponent; i++)
        {
            if (power > ulong.MaxValue / 10)
            {
                return ulong.MaxValue;
            }

            power *= 10;
        }

        return power;
    }
}
