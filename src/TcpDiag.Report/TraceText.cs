using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace TcpDiag.Report;

/// <summary>Text for terminals: strings from traces made harmless, lines cut and wrapped to a width.</summary>
static class TraceText
{
    const char Replacement = '\uFFFD';

    /// <summary>Replaces what a terminal would obey or hide: controls, text direction, line ends, halves of surrogate pairs.</summary>
    /// <param name="text">Text from a trace.</param>
    /// <returns>The same text, or one of the same length with replacement characters.</returns>
    public static string Clean(string text)
    {
        StringBuilder? clean = null;
        for (int i = 0; i < text.Length;)
        {
            bool isRune = Rune.DecodeFromUtf16(text.AsSpan(i), out Rune rune, out int length) == OperationStatus.Done;
            bool isBad = !isRune || Rune.GetUnicodeCategory(rune) is UnicodeCategory.Control or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator;
            if (isBad)
            {
                clean ??= new StringBuilder(text);
                clean[i] = Replacement;
            }

            i += length;
        }

        return clean?.ToString() ?? text;
    }

    /// <summary>Shortens text to a width.</summary>
    /// <param name="text">Clean text.</param>
    /// <param name="columns">Most characters, at least 1.</param>
    /// <returns>The text, or its beginning with an ellipsis.</returns>
    public static string Cut(string text, int columns) => text.Length <= columns ? text : string.Concat(text.AsSpan(0, columns - 1), "…");

    /// <summary>Shortens text to a width, keeping its end: what tells paths apart.</summary>
    /// <param name="text">Clean text.</param>
    /// <param name="columns">Most characters, at least 1.</param>
    /// <returns>The text, or its end with an ellipsis.</returns>
    public static string CutStart(string text, int columns) => text.Length <= columns ? text : string.Concat("…", text.AsSpan(text.Length - columns + 1));

    /// <summary>Breaks text between words.</summary>
    /// <param name="text">Clean text; a word longer than a line stays whole.</param>
    /// <param name="columns">Most characters of a line.</param>
    /// <returns>The lines.</returns>
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
