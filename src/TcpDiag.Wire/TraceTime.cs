using System;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace TcpDiag.Wire;

/// <summary>An instant of a trace: nanoseconds since 1970-01-01T00:00:00Z, leap seconds ignored.</summary>
/// <param name="Nanoseconds">Nanoseconds since the Unix epoch; may be negative in a damaged trace.</param>
public readonly record struct TraceTime(long Nanoseconds) : IComparable<TraceTime>
{
    // FILETIME counts 100 ns units from 1601-01-01; the epochs lie 11,644,473,600 s apart.
    const long FileTimeOfUnixEpoch = 116_444_736_000_000_000;

    const long NanosecondsPerSecond = 1_000_000_000;

    // FILETIME units from the Unix epoch that 64 bits of nanoseconds hold.
    const long MaxUnits = long.MaxValue / 100;

    /// <summary>The first instant that can be represented, in the year 1677; earlier ones are clamped to it.</summary>
    public static readonly TraceTime Earliest = new(long.MinValue);

    /// <summary>The last instant that can be represented, in the year 2262; later ones are clamped to it.</summary>
    public static readonly TraceTime Latest = new(long.MaxValue);

    /// <summary>Whether this is one of the two ends: no clock reads them, so they mean an instant out of range.</summary>
    public bool IsBeyond
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => unchecked((ulong)(Nanoseconds - long.MaxValue)) <= 1; // the first instant follows the last: one comparison for both
    }

    /// <summary>Converts a Windows FILETIME (100 ns units since 1601-01-01).</summary>
    /// <param name="fileTime">100 ns units since 1601-01-01T00:00:00Z.</param>
    /// <returns>The same instant; <see cref="Earliest"/> or <see cref="Latest"/> where it lies beyond them.</returns>
    public static TraceTime FromFileTime(long fileTime) => fileTime switch
    {
        > FileTimeOfUnixEpoch + MaxUnits => Latest,
        < FileTimeOfUnixEpoch - MaxUnits => Earliest,
        _ => new((fileTime - FileTimeOfUnixEpoch) * 100),
    };

    /// <summary>The instant as a Windows FILETIME; the part below 100 ns is dropped.</summary>
    /// <returns>100 ns units since 1601-01-01T00:00:00Z.</returns>
    public long ToFileTime() => (Nanoseconds / 100) + FileTimeOfUnixEpoch;

    /// <inheritdoc/>
    public int CompareTo(TraceTime other) => Nanoseconds.CompareTo(other.Nanoseconds);

    /// <summary>ISO 8601 in UTC with nine decimals, e.g. <c>2026-11-21T10:00:00.000000001Z</c>.</summary>
    /// <returns>The text; the bare number of nanoseconds where the calendar has no such year.</returns>
    public override string ToString()
    {
        long seconds = Math.DivRem(Nanoseconds, NanosecondsPerSecond, out long rest);
        if (rest < 0)
        {
            seconds--;
            rest += NanosecondsPerSecond;
        }

        DateTime instant = DateTime.UnixEpoch.AddSeconds(seconds);
        return string.Create(CultureInfo.InvariantCulture, $"{instant:yyyy-MM-dd'T'HH:mm:ss}.{rest:D9}Z");
    }

    /// <summary>The time from <paramref name="earlier"/> to <paramref name="later"/>.</summary>
    /// <param name="later">The minuend.</param>
    /// <param name="earlier">The subtrahend.</param>
    /// <returns>Nanoseconds, negative where the order is the other way round.</returns>
    public static long operator -(in TraceTime later, in TraceTime earlier) => unchecked(later.Nanoseconds - earlier.Nanoseconds);

    /// <summary>How far apart two instants are, whichever is the later one.</summary>
    /// <param name="one">An instant.</param>
    /// <param name="other">Another one.</param>
    /// <returns>Nanoseconds, at most 2⁶³ − 1.</returns>
    public static long Distance(TraceTime one, TraceTime other) => Math.Abs(Math.Max(one - other, -long.MaxValue));

    /// <summary>An instant moved by a duration.</summary>
    /// <param name="time">The start.</param>
    /// <param name="nanoseconds">The duration in nanoseconds.</param>
    /// <returns>The moved instant.</returns>
    public static TraceTime operator +(in TraceTime time, long nanoseconds) => new(unchecked(time.Nanoseconds + nanoseconds));

    /// <summary>Whether one instant lies before another.</summary>
    /// <param name="left">First instant.</param>
    /// <param name="right">Second instant.</param>
    /// <returns>True when <paramref name="left"/> is earlier.</returns>
    public static bool operator <(in TraceTime left, in TraceTime right) => left.Nanoseconds < right.Nanoseconds;

    /// <summary>Whether one instant lies after another.</summary>
    /// <param name="left">First instant.</param>
    /// <param name="right">Second instant.</param>
    /// <returns>True when <paramref name="left"/> is later.</returns>
    public static bool operator >(in TraceTime left, in TraceTime right) => left.Nanoseconds > right.Nanoseconds;

    /// <summary>Whether one instant lies before another or is the same.</summary>
    /// <param name="left">First instant.</param>
    /// <param name="right">Second instant.</param>
    /// <returns>True when <paramref name="left"/> is not later.</returns>
    public static bool operator <=(in TraceTime left, in TraceTime right) => left.Nanoseconds <= right.Nanoseconds;

    /// <summary>Whether one instant lies after another or is the same.</summary>
    /// <param name="left">First instant.</param>
    /// <param name="right">Second instant.</param>
    /// <returns>True when <paramref name="left"/> is not earlier.</returns>
    public static bool operator >=(in TraceTime left, in TraceTime right) => left.Nanoseconds >= right.Nanoseconds;
}
