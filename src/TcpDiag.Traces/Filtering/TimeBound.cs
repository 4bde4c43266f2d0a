using System;
using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Filtering;

/// <summary>One end of a span of time: an instant, or a distance from the first record.</summary>
/// <param name="Instant">The instant, or null.</param>
/// <param name="SinceStartNanos">Nanoseconds since the first record, where there is no instant.</param>
public readonly record struct TimeBound(TraceTime? Instant, long SinceStartNanos)
{
    const decimal NanosecondsPerSecond = 1_000_000_000;
    const int MaxParts = 3; // hours, minutes, seconds
    const int SecondsPerMinute = 60;
    const string Utc = " UTC"; // as the page writes an instant

    static readonly (string Unit, decimal Seconds)[] Units = [("us", 1e-6m), ("ms", 1e-3m), ("min", 60), ("s", 1), ("h", 3600), (string.Empty, 1)];

    /// <summary>Reads a bound.</summary>
    /// <param name="text">
    /// Time since the first record (<c>1.5</c>, <c>12.5s</c>, <c>200ms</c>, <c>00:01:05</c>), or an instant (<c>2026-11-21T10:24:58.5Z</c>; UTC without a
    /// zone).
    /// </param>
    /// <param name="bound">The bound.</param>
    /// <returns>False when the text is neither.</returns>
    public static bool TryParse(string? text, out TimeBound bound)
    {
        bound = default;
        return text is not null && (TryParseSeconds(text, out bound) || TryParseClock(text, out bound) || TryParseInstant(text, out bound));
    }

    /// <summary>The instant.</summary>
    /// <param name="start">Time of the first record.</param>
    /// <returns>The bound as an instant.</returns>
    public TraceTime At(TraceTime start) => Instant ?? Nearest((Int128)start.Nanoseconds + SinceStartNanos);

    static bool TryParseSeconds(string text, out TimeBound bound)
    {
        bound = default;
        (string unit, decimal seconds) = Array.Find(Units, known => text.EndsWith(known.Unit, StringComparison.OrdinalIgnoreCase));
        return TryParseNumber(text.AsSpan(0, text.Length - unit.Length), out decimal number)
            && number < long.MaxValue / NanosecondsPerSecond
            && TrySinceStart(number * seconds, out bound);
    }

    // 00:01:05.5 is one minute, five and a half seconds; 10:24 may be hours or minutes, and is neither.
    static bool TryParseClock(string text, out TimeBound bound)
    {
        bound = default;
        string[] parts = text.Split(':');
        return parts.Length == MaxParts
            && int.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out int hours)
            && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out int minutes)
            && TryParseNumber(parts[2], out decimal seconds)
            && minutes < SecondsPerMinute && seconds < SecondsPerMinute
            && TrySinceStart(((((decimal)hours * SecondsPerMinute) + minutes) * SecondsPerMinute) + seconds, out bound);
    }

    static bool TryParseInstant(string text, out TimeBound bound)
    {
        bound = default;
        const DateTimeStyles Universal = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        bool beginsWithYear = text is [_, _, _, _, '-', ..]; // otherwise 1,5 would be the fifth of January
        string bare = text.EndsWith(Utc, StringComparison.OrdinalIgnoreCase) ? text[..^Utc.Length] : text;
        string whole = WithoutFraction(bare, out decimal fraction);
        if (!beginsWithYear || !DateTime.TryParse(whole, CultureInfo.InvariantCulture, Universal, out DateTime instant))
        {
            return false;
        }

        Int128 nanoseconds = (Int128)(instant - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;
        bound = new TimeBound(Nearest(nanoseconds + (long)(fraction * NanosecondsPerSecond)), 0);
        return true;
    }

    // The runtime rounds to 100 ns, and the nanoseconds that are left out may hold the packet that is meant.
    static string WithoutFraction(string text, out decimal fraction)
    {
        fraction = 0;
        int point = text.IndexOf('.', StringComparison.Ordinal);
        int end = point + 1;
        while (point >= 0 && end < text.Length && char.IsAsciiDigit(text[end]))
        {
            end++;
        }

        return point >= 0 && end > point + 1 && TryParseNumber(text.AsSpan(point, end - point), out fraction) ? text[..point] + text[end..] : text;
    }

    static bool TryParseNumber(ReadOnlySpan<char> text, out decimal number) =>
        decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out number);

    static bool TrySinceStart(decimal seconds, out TimeBound bound)
    {
        bool isTime = seconds < long.MaxValue / NanosecondsPerSecond;
        bound = isTime ? new TimeBound(null, (long)(seconds * NanosecondsPerSecond)) : default;
        return isTime;
    }

    // A time beyond those that nanoseconds reach, 1677 to 2262, lies before or after all of them.
    static TraceTime Nearest(Int128 nanoseconds) => new((long)Int128.Clamp(nanoseconds, long.MinValue, long.MaxValue));
}
