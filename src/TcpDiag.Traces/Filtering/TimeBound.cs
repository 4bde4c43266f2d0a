using System;
using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Filtering;

/// <summary>One end of a span of time: an instant, or a distance from the first record.</summary>
/// <param name="Instant">The instant, or null.</param>
/// <param name="SinceStart">Nanoseconds since the first record, where there is no instant.</param>
public readonly record struct TimeBound(TraceTime? Instant, long SinceStart)
{
    const decimal NanosecondsPerSecond = 1_000_000_000;

    /// <summary>Reads a bound.</summary>
    /// <param name="text">Seconds since the first record (<c>1.5</c>), or an instant (<c>2026-11-21T10:24:58.5Z</c>; UTC without a zone).</param>
    /// <param name="bound">The bound.</param>
    /// <returns>False when the text is neither.</returns>
    public static bool TryParse(string? text, out TimeBound bound)
    {
        bound = default;
        if (decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal seconds)
            && seconds < long.MaxValue / NanosecondsPerSecond)
        {
            bound = new TimeBound(null, (long)(seconds * NanosecondsPerSecond));
            return true;
        }

        const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        bool beginsWithYear = text is [_, _, _, _, '-', ..]; // else 1,5 were the fifth of January, and 10:24 today
        if (!beginsWithYear || !DateTime.TryParse(text, CultureInfo.InvariantCulture, Utc, out DateTime instant))
        {
            return false;
        }

        bound = new TimeBound(Nearest((Int128)(instant - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick), 0);
        return true;
    }

    /// <summary>The instant.</summary>
    /// <param name="start">Time of the first record.</param>
    /// <returns>The bound as an instant.</returns>
    public TraceTime At(TraceTime start) => Instant ?? Nearest((Int128)start.Nanoseconds + SinceStart);

    // A time beyond those that nanoseconds reach, 1677 to 2262, lies before or behind all of them.
    static TraceTime Nearest(Int128 nanoseconds) => new((long)Int128.Clamp(nanoseconds, long.MinValue, long.MaxValue));
}
