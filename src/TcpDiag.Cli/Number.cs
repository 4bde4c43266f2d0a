using System;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using System.Numerics;

namespace TcpDiag.Cli;

/// <summary>
/// Reads the numbers of the command line: digits, one point where the type has a fraction, a minus in front; the same in every
/// country. System.CommandLine by itself takes <c>0,1</c> for 1, and its message about a wrong number names a type of .NET.
/// </summary>
static class Number
{
    const NumberStyles Whole = NumberStyles.AllowLeadingSign;
    const NumberStyles Fraction = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;

    /// <summary>Reads the one number of an option or argument.</summary>
    /// <typeparam name="T">The number's type.</typeparam>
    /// <param name="result">The argument; gets an error when it is wrong.</param>
    /// <param name="expected">What would be right, for the message.</param>
    /// <param name="isAllowed">Whether a number is.</param>
    /// <returns>The number; 0 when it is wrong.</returns>
    public static T Read<T>(ArgumentResult result, string expected, Predicate<T> isAllowed)
        where T : struct, INumber<T>
        => result.Tokens.Count == 0 ? default : Read(result, result.Tokens[^1].Value, expected, isAllowed);

    /// <summary>Reads the numbers of an option that may be repeated.</summary>
    /// <typeparam name="T">The numbers' type.</typeparam>
    /// <param name="result">The arguments; get an error when one is wrong.</param>
    /// <param name="expected">What would be right, for the message.</param>
    /// <param name="isAllowed">Whether a number is.</param>
    public static T[] ReadAll<T>(ArgumentResult result, string expected, Predicate<T> isAllowed)
        where T : struct, INumber<T>
        => [.. result.Tokens.Select(token => Read(result, token.Value, expected, isAllowed))];

    /// <summary>Reads a seed.</summary>
    /// <param name="result">The argument; gets an error when it is wrong.</param>
    public static ulong ReadSeed(ArgumentResult result) => Read<ulong>(result, "a seed from 0 to 18446744073709551615", _ => true);

    static T Read<T>(ArgumentResult result, string text, string expected, Predicate<T> isAllowed)
        where T : struct, INumber<T>
    {
        NumberStyles styles = typeof(T) == typeof(double) ? Fraction : Whole;
        if (!text.StartsWith('+') && T.TryParse(text, styles, CultureInfo.InvariantCulture, out T number) && T.IsFinite(number) && isAllowed(number))
        {
            return number;
        }

        string name = result.Parent is OptionResult option ? option.Option.Name : result.Argument.Name;
        result.AddError($"{name}: expected {expected}, found '{text}'");
        return default;
    }
}

/// <summary>Reads amounts from the command line: a number and its unit in one word.</summary>
static class QuantityText
{
    static readonly (string Unit, double Value)[] TimeUnits =
        [("us", 1e-6), ("ms", 1e-3), ("min", 60), ("s", 1), ("h", 3600)];

    static readonly (string Unit, double Value)[] SizeUnits =
        [("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("b", 1)];

    static readonly (string Unit, double Value)[] RateUnits =
        [("kbit", 1e3), ("mbit", 1e6), ("gbit", 1e9), ("bit", 1)];

    static readonly (string Unit, double Value)[] ShareUnits =
        [("pct", 0.01), ("%", 0.01), (string.Empty, 1)];

    /// <summary>Reads a time such as <c>10s</c>, <c>1.5min</c>, <c>200ms</c>.</summary>
    /// <returns>False when it is no time, or more than a day.</returns>
    public static bool TryParseTime(string text, out TimeSpan time)
    {
        bool isTime = TryParse(text, TimeUnits, out double seconds) && seconds <= TimeSpan.SecondsPerDay;
        time = isTime ? TimeSpan.FromSeconds(seconds) : default;
        return isTime;
    }

    /// <summary>A time as it is written here.</summary>
    /// <returns>E.g. <c>1min</c>, <c>5s</c>, <c>10ms</c>.</returns>
    public static string Of(TimeSpan time) => time.TotalMinutes >= 1 && time.Ticks % TimeSpan.TicksPerMinute == 0
        ? FormattableString.Invariant($"{time.TotalMinutes}min")
        : time.TotalSeconds >= 1 ? FormattableString.Invariant($"{time.TotalSeconds}s") : FormattableString.Invariant($"{time.TotalMilliseconds}ms");

    /// <summary>A size as it is written here.</summary>
    /// <returns>E.g. <c>1gib</c>, <c>500mb</c>; bytes without a unit where none divides it.</returns>
    public static string Of(long bytes)
    {
        (string unit, double value) = SizeUnits.Reverse().FirstOrDefault(size => bytes >= size.Value && bytes % (long)size.Value == 0 && size.Value > 1);
        return unit is null ? bytes.ToString(CultureInfo.InvariantCulture) : FormattableString.Invariant($"{bytes / (long)value}{unit}");
    }

    /// <summary>Reads a size such as <c>500mb</c> or <c>64kib</c>.</summary>
    /// <returns>False when it is no size, or more than 2⁶² bytes.</returns>
    public static bool TryParseSize(string text, out long bytes)
    {
        bool isSize = TryParse(text, SizeUnits, out double value) && value <= 1L << 62;
        bytes = isSize ? (long)value : 0;
        return isSize;
    }

    /// <summary>Reads a rate such as <c>100mbit</c> or <c>1.5gbit</c>.</summary>
    /// <returns>False when it is none.</returns>
    public static bool TryParseRate(string text, out double bitsPerSecond) => TryParse(text, RateUnits, out bitsPerSecond);

    /// <summary>Reads a part of a whole such as <c>5pct</c>, <c>5%</c> or <c>0.05</c>.</summary>
    /// <returns>False when it is none, or more than the whole.</returns>
    public static bool TryParseShare(string text, out double share) => TryParse(text, ShareUnits, out share) && share <= 1;

    static bool TryParse(string text, (string Unit, double Value)[] units, out double value)
    {
        value = 0;
        foreach ((string unit, double factor) in units)
        {
            if (text.EndsWith(unit, StringComparison.OrdinalIgnoreCase)
                && double.TryParse(text.AsSpan(0, text.Length - unit.Length), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
                && double.IsFinite(number))
            {
                value = number * factor;
                return true;
            }
        }

        return false;
    }
}
