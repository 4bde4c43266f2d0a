using System;
using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Report;

/// <summary>Writes instants as people's clocks show them, so that <c>--from</c> and <c>--to</c> read them back without quotes (ISO 8601).</summary>
public static class WallClock
{
    const long NanosecondsPerTick = 100;

    /// <summary>An instant.</summary>
    /// <param name="time">The instant.</param>
    /// <param name="zone">The zone; that of <see cref="TimeZoneInfo.Utc"/> is written as <c>Z</c>.</param>
    /// <returns>E.g. <c>2026-11-21T10:24:58.500000Z</c>, <c>2026-11-21T11:24:58.500000+01:00</c>; microseconds, those that have begun.</returns>
    public static string Of(TraceTime time, TimeZoneInfo zone)
    {
        ArgumentNullException.ThrowIfNull(zone);
        DateTimeOffset instant = DateTimeOffset.UnixEpoch.AddTicks(Math.DivRem(time.Nanoseconds, NanosecondsPerTick).Quotient);
        string format = ReferenceEquals(zone, TimeZoneInfo.Utc) ? "yyyy-MM-dd'T'HH:mm:ss.ffffff'Z'" : "yyyy-MM-dd'T'HH:mm:ss.ffffffzzz";
        return TimeZoneInfo.ConvertTime(instant, zone).ToString(format, CultureInfo.InvariantCulture);
    }
}
