using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Report;

namespace TcpDiag.Cli.Explain;

/// <summary>A line for the terminal.</summary>
/// <param name="Text">The line, without Markdown.</param>
/// <param name="IsHeading">Whether it is a heading.</param>
readonly record struct PlainLine(string Text, bool IsHeading = false);

/// <summary>
/// The Markdown that our pages use as lines of a terminal: headings, paragraphs, lists; code, links and emphasis within them. A command in a text stays on
/// one line where it fits, so that it can be copied.
/// </summary>
static partial class PlainMarkdown
{
    const char Tie = '\u00a0'; // a blank at which no line breaks
    const int ListIndent = 2;

    /// <summary>Renders a page.</summary>
    /// <param name="page">Markdown.</param>
    /// <param name="columns">Length of a line, at most.</param>
    public static IEnumerable<PlainLine> Render(string page, int columns)
    {
        bool isBelowHeading = true;
        foreach (string block in Blocks(page))
        {
            bool isItem = block.TrimStart().StartsWith("- ", StringComparison.Ordinal);
            if (!isBelowHeading && !isItem)
            {
                yield return new(string.Empty);
            }

            isBelowHeading = block.StartsWith('#');
            foreach (PlainLine line in RenderBlock(block, isItem, columns))
            {
                yield return line;
            }
        }
    }

    /// <summary>Wraps a text with code, links and emphasis.</summary>
    /// <param name="text">A paragraph of Markdown.</param>
    /// <param name="columns">Length of a line, at most.</param>
    /// <param name="first">What stands in front of the first line.</param>
    /// <param name="next">What stands in front of the others.</param>
    public static IEnumerable<string> Wrap(string text, int columns, string first = "", string next = "") =>
        WordWrap.Lines(Words(Inline(text), columns - next.Length), columns, first, next).Select(line => line.Replace(Tie, ' '));

    /// <summary>Writes a paragraph in lines as wide as the output, all but the first indented.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="text">A paragraph of Markdown; what is not plainly visible is replaced.</param>
    public static void Write(TextWriter output, string text)
    {
        foreach (string line in Wrap(SafeText.OneLine(text), Terminal.ColumnsOf(output), next: "  "))
        {
            output.WriteLine(line);
        }
    }

    /// <summary>The text of a paragraph without code marks, links and emphasis.</summary>
    public static string Plain(string text) => Inline(text).Replace(Tie, ' ');

    static IEnumerable<PlainLine> RenderBlock(string block, bool isItem, int columns)
    {
        if (block.StartsWith('#'))
        {
            return Wrap(block.TrimStart('#', ' '), columns).Select(line => new PlainLine(line, IsHeading: true));
        }

        string indent = isItem ? new string(' ', block.Length - block.TrimStart().Length) : string.Empty;
        string text = isItem ? block.TrimStart()[ListIndent..] : block;
        string next = isItem ? indent + new string(' ', ListIndent) : string.Empty;
        return Wrap(text, columns, isItem ? $"{indent}- " : string.Empty, next).Select(line => new PlainLine(line));
    }

    // A heading, a paragraph or a list item each, joined to one line.
    static IEnumerable<string> Blocks(string page)
    {
        string block = string.Empty;
        foreach (string line in page.ReplaceLineEndings("\n").Split('\n'))
        {
            bool begins = line.Length == 0 || line[0] is '#' || block.StartsWith('#') || line.TrimStart().StartsWith("- ", StringComparison.Ordinal);
            if (begins && block.Length > 0)
            {
                yield return block;
                block = string.Empty;
            }

            block = block.Length == 0 ? line.TrimEnd() : $"{block} {line.Trim()}";
        }

        if (block.Length > 0)
        {
            yield return block;
        }
    }

    static string Inline(string text)
    {
        string[] parts = Link().Replace(text, "${text}").Replace("\\|", "|", StringComparison.Ordinal).Split('`');
        for (int i = 0; i < parts.Length; i++)
        {
            parts[i] = i % 2 == 1 ? parts[i].Replace(' ', Tie) : Emphasis().Replace(parts[i], "${text}");
        }

        return string.Concat(parts);
    }

    // What is longer than a line breaks at its blanks, else anywhere.
    static IEnumerable<string> Words(string text, int columns) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries)
        .SelectMany(word => word.Length <= columns ? [word] : word.Split(Tie))
        .SelectMany(word => word.Length <= columns ? [word] : word.Chunk(columns).Select(piece => new string(piece)));

    [GeneratedRegex(@"\[(?<text>[^\]]+)\]\([^)\s]+\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Link();

    [GeneratedRegex(@"(?<mark>\*{1,2})(?<text>\w[^*]*)\k<mark>", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Emphasis();
}
