using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace TcpDiag.Report;

/// <summary>
/// Makes strings from a trace safe to show: a name may carry terminal escapes, line breaks or characters that turn the
/// reading direction, so that a report would seem to say something else.
/// </summary>
public static class SafeText
{
    const char Ellipsis = '…';

    /// <summary>Replaces what is not plainly visible, and cuts what is too long.</summary>
    /// <param name="text">Text from a trace.</param>
    /// <param name="maxChars">How many characters to keep at most; 1 or more.</param>
    /// <returns>One line of visible characters; what was cut ends in an ellipsis.</returns>
    public static string OneLine(string text, int maxChars = int.MaxValue)
    {
        var safe = new StringBuilder(Math.Min(text.Length, maxChars));
        foreach (Rune rune in text.EnumerateRunes())
        {
            string shown = IsVisible(rune) ? rune.ToString() : "?";
            if (safe.Length + shown.Length > maxChars)
            {
                safe.Length = Math.Min(safe.Length, maxChars - 1);
                return safe.Append(Ellipsis).ToString();
            }

            safe.Append(shown);
        }

        return safe.ToString();
    }

    static bool IsVisible(Rune rune) => rune == new Rune(' ') || Rune.GetUnicodeCategory(rune)
        is not (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.Surrogate or UnicodeCategory.PrivateUse
            or UnicodeCategory.OtherNotAssigned or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
            or UnicodeCategory.SpaceSeparator) && rune != Rune.ReplacementChar;
}

/// <summary>Cuts and wraps text to the width of a terminal. The text has been through <see cref="SafeText"/>.</summary>
static class TerminalText
{
    /// <summary>Shortens text to a width.</summary>
    /// <returns>The text, or its beginning with an ellipsis.</returns>
    public static string Cut(string text, int columns) => text.Length <= columns ? text : string.Concat(text.AsSpan(0, columns - 1), "…");

    /// <summary>Shortens text to a width but keeps its end, which is where paths differ.</summary>
    /// <returns>The text, or its end with an ellipsis.</returns>
    public static string CutStart(string text, int columns) => text.Length <= columns ? text : string.Concat("…", text.AsSpan(text.Length - columns + 1));

    /// <summary>Breaks text between words.</summary>
    /// <param name="text">Clean text; a word longer than a line stays whole.</param>
    /// <param name="columns">Length of a line, at most.</param>
    public static IEnumerable<string> Wrap(string text, int columns)
    {
        var line = new StringBuilder();
        foreach (string word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > columns)
            {
                yield return line.ToString();
                line.Clear();
            }

            line.Append(line.Length > 0 ? " " : string.Empty).Append(word);
        }

        yield return line.ToString();
    }
}
