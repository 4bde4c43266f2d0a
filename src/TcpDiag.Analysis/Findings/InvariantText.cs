using System;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// An interpolated text in the making, numbers as the invariant culture has them: nothing is boxed, and no format is parsed. Of a hundred thousand findings most
/// say the same: a text that was made lately is given again.
/// </summary>
[InterpolatedStringHandler]
ref struct InvariantText
{
    const int Kept = 256; // a power of two

    static readonly string?[] Lately = new string?[Kept];

    DefaultInterpolatedStringHandler _text;

    /// <summary>Begins a text; called by the compiler, as are the others.</summary>
    /// <param name="literalLength">Characters outside of the holes.</param>
    /// <param name="formattedCount">Holes.</param>
    public InvariantText(int literalLength, int formattedCount) => _text = new(literalLength, formattedCount, CultureInfo.InvariantCulture);

    /// <summary>The text as a string.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The string.</returns>
    public static string Of(InvariantText text) => text.ToStringAndClear();

    /// <summary>Ends the text.</summary>
    /// <returns>It as a string.</returns>
    public string ToStringAndClear()
    {
        ReadOnlySpan<char> text = _text.Text;
        ref string? lately = ref Lately[SlotOf(text)];
        string whole = lately is not null && text.SequenceEqual(lately) ? lately : text.ToString();
        lately = whole;
        _text.Clear();
        return whole;
    }

    /// <summary>Adds what stands outside of the holes.</summary>
    /// <param name="value">It.</param>
    public void AppendLiteral(string value) => _text.AppendLiteral(value);

    /// <summary>Adds a text.</summary>
    /// <param name="value">It.</param>
    public void AppendFormatted(string? value) => _text.AppendFormatted(value);

    /// <summary>Adds a value.</summary>
    /// <param name="value">It.</param>
    /// <param name="format">How it is written.</param>
    public void AppendFormatted<T>(T value, string? format = null) => _text.AppendFormatted(value, format);

    // Length, beginning, middle and end tell most texts apart, and what they miss is only made anew.
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
