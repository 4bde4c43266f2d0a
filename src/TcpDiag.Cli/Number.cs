using System;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using System.Numerics;

namespace TcpDiag.Cli;

/// <summary>
/// Reads the numbers of the command line: digits, one point where the type has a fraction, a minus in front; the same in every
/// country. System.CommandLine by itself takes <c>0,1</c> for 1, and tells of a number that is none by naming a type of .NET.
/// </summary>
static class Number
{
    const NumberStyles Whole = NumberStyles.AllowLeadingSign;
    const NumberStyles Fraction = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;

    /// <summary>Reads the one number of an option or argument.</summary>
    /// <typeparam name="T">The number's type.</typeparam>
    /// <param name="result">What stands on the command line; told when it is wrong.</param>
    /// <param name="expected">What would be right, for the message.</param>
    /// <param name="isAllowed">Whether a number is.</param>
    /// <returns>The number; 0 when it is wrong.</returns>
    public static T Read<T>(ArgumentResult result, string expected, Predicate<T> isAllowed)
        where T : struct, INumber<T>
        => result.Tokens.Count == 0 ? default : Read(result, result.Tokens[^1].Value, expected, isAllowed);

    /// <summary>Reads the numbers of an option that may be repeated.</summary>
    /// <typeparam name="T">The numbers' type.</typeparam>
    /// <param name="result">What stands on the command line; told when one of it is wrong.</param>
    /// <param name="expected">What would be right, for the message.</param>
    /// <param name="isAllowed">Whether a number is.</param>
    /// <returns>The numbers.</returns>
    public static T[] ReadAll<T>(ArgumentResult result, string expected, Predicate<T> isAllowed)
        where T : struct, INumber<T>
        => [.. result.Tokens.Select(token => Read(result, token.Value, expected, isAllowed))];

    /// <summary>Reads a seed.</summary>
    /// <param name="result">What stands on the command line; told when it is wrong.</param>
    /// <returns>The seed.</returns>
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
