using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace TcpDiag.Cli.Explain;

/// <summary>Something that can be explained.</summary>
/// <param name="Section">What it belongs to: findings, or a section of the glossary.</param>
/// <param name="Names">The names it goes by; of a finding its id.</param>
/// <param name="InAWord">What it means in one line of Markdown.</param>
/// <param name="Page">The page about it in Markdown; null for a term, which has none.</param>
/// <param name="Source">Where a term comes from, in Markdown; null for a finding.</param>
sealed record Topic(string Section, IReadOnlyList<string> Names, string InAWord, string? Page, string? Source);

/// <summary>The pages of the findings and the terms of the glossary, which are part of the program: no network and no file is needed.</summary>
static partial class Topics
{
    /// <summary>The section of the findings.</summary>
    public const string Findings = "Findings";

    const int MinPart = 3; // shorter parts are in too many names

    /// <summary>All of them: findings in the order of their index, then terms in that of the glossary.</summary>
    public static IReadOnlyList<Topic> All { get; } = [.. ReadFindings(), .. ReadTerms()];

    /// <summary>Finds what goes by a name. Blanks and hyphens, small and capital letters are the same.</summary>
    /// <param name="name">As it was typed.</param>
    /// <returns>A term and a finding may share a name; none where nothing has it.</returns>
    public static IReadOnlyList<Topic> Find(string name)
    {
        string key = Key(name);
        return [.. All.Where(topic => topic.Names.Any(known => string.Equals(Key(known), key, StringComparison.OrdinalIgnoreCase)))];
    }

    /// <summary>What a name that is not known might have meant.</summary>
    /// <param name="name">As it was typed.</param>
    /// <returns>A sentence with a blank in front of it; empty when nothing is like it.</returns>
    public static string Meant(string name)
    {
        string key = Key(name);
        List<string> names = [.. All.SelectMany(topic => topic.Names).Distinct(StringComparer.OrdinalIgnoreCase)];
        string? nearest = Suggestion.Nearest(key, names);
        string meant = nearest is null ? string.Empty : $" Did you mean {nearest}?";
        List<string> with = key.Length < MinPart
            ? []
            : [.. names.Where(known => !string.Equals(known, nearest, StringComparison.Ordinal)
            && Key(known).Contains(key, StringComparison.OrdinalIgnoreCase))];
        return with.Count == 0 ? meant : $"{meant} With this in their name: {string.Join(", ", with)}.";
    }

    static string Key(string name) => name.Trim().Replace(' ', '-').Replace('–', '-');

    static IEnumerable<Topic> ReadFindings() => Rows(Read("findings/README.md")).Select(row =>
    {
        string id = PlainMarkdown.Plain(row.Cells[0]);
        return new Topic(Findings, [id], row.Cells[1], Read($"findings/{id}.md"), Source: null);
    });

    static IEnumerable<Topic> ReadTerms() => Rows(Read("glossary.md"))
        .Select(row => new Topic(row.Section, NamesOf(row.Cells[0]), row.Cells[1], Page: null, row.Cells[2]));

    // "retransmission (resend)" and "SRTT, RTTVAR, RTO" go by each of their names.
    static string[] NamesOf(string cell) =>
        PlainMarkdown.Plain(cell).Split([',', '(', ')'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    // The rows of all tables, without their heads, and the heading each stands under.
    static IEnumerable<(string Section, string[] Cells)> Rows(string page)
    {
        string section = string.Empty;
        int depth = 0;
        foreach (string line in page.Split('\n'))
        {
            section = line.StartsWith("## ", StringComparison.Ordinal) ? line[3..] : section;
            depth = line.StartsWith('|') ? depth + 1 : 0;
            if (depth > 2)
            {
                yield return (section, [.. Bar().Split(line.Trim('|', ' ')).Select(cell => cell.Trim())]);
            }
        }
    }

    static string Read(string name)
    {
        using Stream stream = typeof(Topics).Assembly.GetManifestResourceStream(name)
            ?? throw new InvalidOperationException($"the program lacks its page {name}");
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    // Not one that is part of the text.
    [GeneratedRegex(@"(?<!\\)\|", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Bar();
}
