using System;
using System.Globalization;
using System.Text;

namespace TcpDiag.Report;

/// <summary>
/// Makes strings from a trace safe to show: a name may carry terminal escapes, line breaks or characters that turn the
/// reading direction, to make a report say what it does not.
/// </summary>
public static class SafeText
{
    const char Ellipsis = '…';

    /// <summary>Replaces what is not plainly visible, and cuts what is too long.</summary>
    /// <param name="text">Text from a trace.</param>
    /// <param name="maximum">Most characters to keep, at least 1.</param>
    /// <returns>One line of visible characters; what was cut ends in an ellipsis.</returns>
    public static string OneLine(string text, int maximum = int.MaxValue)
    {
        var safe = new StringBuilder(Math.Min(text.Length, maximum));
        foreach (Rune rune in text.EnumerateRunes())
        {
            string shown = IsVisible(rune) ? rune.ToString() : "?";
            if (safe.Length + shown.Length > maximum)
            {
                safe.Length = Math.Min(safe.Length, maximum - 1);
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
