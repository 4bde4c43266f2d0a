using System;
using System.Globalization;

namespace TcpDiag.Analysis.Results;

/// <summary>Short numbers with SI prefixes and three significant digits, for people.</summary>
public static class Quantity
{
    const double Thousand = 1000;
    const int MaxDigits = 16; // more than ten thousand seconds, or exabytes, take more
    const int MaxUnit = 3;

    const double NanosecondsPerSecond = 1e9;

    static readonly string[] Prefixes = ["", "k", "M", "G", "T", "P", "E"];

    /// <summary>A number of things, e.g. <c>1 packet</c>, <c>2 packets</c>.</summary>
    /// <param name="number">The number.</param>
    /// <param name="noun">What is counted, in the singular; its plural ends in s.</param>
    /// <returns>The number in full with its noun.</returns>
    public static string Count(long number, string noun) => FormattableString.Invariant($"{number} {noun}{(number == 1 ? string.Empty : "s")}");

    /// <summary>A number of things whose plural is irregular, e.g. <c>2 echoes</c>.</summary>
    /// <param name="number">The number.</param>
    /// <param name="noun">What is counted, in the singular.</param>
    /// <param name="plural">The same, in the plural.</param>
    /// <returns>The number in full with its noun.</returns>
    public static string Count(long number, string noun, string plural) => FormattableString.Invariant($"{number} {(number == 1 ? noun : plural)}");

    /// <summary>A number of bytes, e.g. <c>12.3 MB</c>.</summary>
    /// <param name="bytes">The number.</param>
    /// <returns>At most 8 characters.</returns>
    public static string Bytes(long bytes) => Scaled(bytes, " ") + "B";

    /// <summary>The same where it may not be known.</summary>
    /// <param name="bytes">The number; null when not known.</param>
    /// <returns>The text; <c>unknown</c> for null.</returns>
    public static string Bytes(long? bytes) => bytes is { } known ? Bytes(known) : "unknown";

    /// <summary>A rate without its unit, e.g. <c>94.1M</c>.</summary>
    /// <param name="bitsPerSecond">The rate; null when not known.</param>
    /// <returns>At most 6 characters; a dash for null.</returns>
    public static string Rate(double? bitsPerSecond) => bitsPerSecond is { } rate ? Scaled(rate, string.Empty) : "-";

    /// <summary>A bit rate with its unit, e.g. <c>94.1 Mbit/s</c>.</summary>
    /// <param name="bitsPerSecond">The rate; null when not known.</param>
    /// <returns>The text; <c>unknown</c> for null.</returns>
    public static string BitRate(double? bitsPerSecond) => bitsPerSecond is { } rate ? Scaled(rate, " ") + "bit/s" : "unknown";

    /// <summary>A duration, e.g. <c>12.3 ms</c>.</summary>
    /// <param name="nanoseconds">The duration.</param>
    /// <returns>At most 8 characters for less than ten thousand seconds.</returns>
    public static string Duration(long nanoseconds)
    {
        double magnitude = Math.Abs((double)nanoseconds);
        return magnitude switch
        {
            0 => "0 s",
            < 999.5e3 => Digits(nanoseconds / 1e3, " µs"),
            < 999.5e6 => Digits(nanoseconds / 1e6, " ms"),
            _ => Digits(nanoseconds / NanosecondsPerSecond, " s"),
        };
    }

    static string Scaled(double value, string gap)
    {
        int prefix = 0;
        while (Math.Abs(value) >= 999.5 && prefix < Prefixes.Length - 1)
        {
            value /= Thousand;
            prefix++;
        }

        return prefix == 0 ? value.ToString("0", CultureInfo.InvariantCulture) + gap : Digits(value, gap) + Prefixes[prefix];
    }

    static string Digits(double value, string unit)
    {
        string format = Math.Abs(value) switch
        {
            < 9.995 => "0.00",
            < 99.95 => "0.0",
            _ => "0",
        };
        Span<char> text = stackalloc char[MaxDigits + MaxUnit];
        if (!value.TryFormat(text[..MaxDigits], out int length, format, CultureInfo.InvariantCulture))
        {
            return value.ToString(format, CultureInfo.InvariantCulture) + unit;
        }

        unit.CopyTo(text[length..]);
        return RecentTexts.Of(text[..(length + unit.Length)]);
    }
}

/// <summary>Recently made texts, reused instead of allocated again: of a hundred thousand findings most say the same.</summary>
static class RecentTexts
{
    const int Kept = 256; // a power of two

    static readonly string?[] Recent = new string?[Kept];

    public static string Of(ReadOnlySpan<char> text)
    {
        ref string? recent = ref Recent[SlotOf(text)];
        string whole = recent is not null && text.SequenceEqual(recent) ? recent : text.ToString();
        recent = whole;
        return whole;
    }

    // Length, beginning, middle and end distinguish most texts; texts that collide are merely allocated again.
    static int SlotOf(ReadOnlySpan<char> text)
    {
        int sum = text.Length;
        for (int part = 0; part < 4 && text.Length > 4; part++)
        {
            sum = (sum * 31) + text[(text.Length - 1) * part / 3];
        }

        return sum & (Kept - 1);
    }
}
