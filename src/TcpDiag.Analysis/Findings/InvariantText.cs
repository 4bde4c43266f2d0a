using System.Globalization;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// An interpolated text in the making, numbers as the invariant culture has them: nothing is boxed, no format is parsed, and a text that was made lately is given again.
/// </summary>
[InterpolatedStringHandler]
ref struct InvariantText
{
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
        string whole = RecentTexts.Of(_text.Text);
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
}
