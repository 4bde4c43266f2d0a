using System;
using System.Collections.Generic;
using System.Text;

namespace TcpDiag.Report;

/// <summary>Lines for terminals: cut and wrapped to a width. The text has been through <see cref="SafeText"/>.</summary>
static class TraceText
{
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
