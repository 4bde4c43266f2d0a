using System;
using System.Buffers.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Turns the time stamps of one interface into nanoseconds since the Unix epoch, by if_tsresol and if_tsoffset
/// (draft-ietf-opsawg-pcapng, "Interface Description Block"). Parts of a nanosecond are cut off; times that 64 bits of
/// nanoseconds cannot hold (before the year 1678, after 2261) become the first or last that they can.
/// </summary>
readonly struct TimestampScale
{
    /// <summary>if_tsresol where there is none: microseconds.</summary>
    public const byte DefaultResolution = 6;

    const byte BinaryFlag = 0x80;
    const int DecimalsOfNanosecond = 9;
    const long NanosecondsPerSecond = 1_000_000_000;

    // One of these is in use: nanoseconds per unit, units per nanosecond, or the power of two (both others 0).
    readonly ulong _multiplier;
    readonly ulong _divisor;
    readonly int _shift;
    readonly long _offsetNanos;

    // Up to so many units, multiplier and offset keep within 64 bits.
    readonly ulong _maxUnits;

    /// <summary>Prepares the conversion.</summary>
    /// <param name="resolution">if_tsresol: units of 10^-n seconds, or with the highest bit set 2^-n seconds.</param>
    /// <param name="offsetSeconds">if_tsoffset.</param>
    public TimestampScale(byte resolution, long offsetSeconds)
    {
        _offsetNanos = (long)Int128.Clamp((Int128)offsetSeconds * NanosecondsPerSecond, long.MinValue, long.MaxValue);
        if ((resolution & BinaryFlag) != 0)
        {
            _shift = resolution & ~BinaryFlag;
        }
        else if (resolution <= DecimalsOfNanosecond)
        {
            _multiplier = PowerOfTen(DecimalsOfNanosecond - resolution);
            _maxUnits = (ulong)(long.MaxValue - Math.Max(_offsetNanos, 0)) / _multiplier;
        }
        else
        {
            _divisor = PowerOfTen(resolution - DecimalsOfNanosecond);
        }
    }

    /// <summary>Converts a time stamp.</summary>
    /// <returns>Nanoseconds since the Unix epoch.</returns>
    public long ToNanoseconds(ulong units) => units <= _maxUnits ? (long)(units * _multiplier) + _offsetNanos : ToNanosecondsSlow(units);

    // units < 2^64, and 10^9 as well as every multiplier < 2^30, so the product stays below 2^94.
    long ToNanosecondsSlow(ulong units)
    {
        UInt128 nanoseconds = _multiplier != 0 ? (UInt128)units * _multiplier
            : _divisor != 0 ? units / _divisor
            : ((UInt128)units * (ulong)NanosecondsPerSecond) >> _shift;
        return (long)Int128.Clamp((Int128)nanoseconds + _offsetNanos, long.MinValue, long.MaxValue);
    }

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

/// <summary>The time of a journal entry: the field __REALTIME_TIMESTAMP, microseconds since the Unix epoch (systemd.io/JOURNAL_EXPORT_FORMATS).</summary>
static class JournalTimestamp
{
    /// <summary>Finds the time.</summary>
    public static bool TryRead(ReadOnlySpan<byte> entry, out TraceTime time)
    {
        ReadOnlySpan<byte> name = "__REALTIME_TIMESTAMP="u8;
        int at = entry.IndexOf(name);
        if (at >= 0 && (at == 0 || entry[at - 1] == '\n') && Utf8Parser.TryParse(entry[(at + name.Length)..], out long microseconds, out _))
        {
            time = new TraceTime(Math.Clamp(microseconds, long.MinValue / 1000, long.MaxValue / 1000) * 1000);
            return true;
        }

        time = default;
        return false;
    }
}
