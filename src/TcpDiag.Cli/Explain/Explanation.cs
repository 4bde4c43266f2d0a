using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace TcpDiag.Cli.Explain;

/// <summary>Writes what <c>tcpdiag explain</c> prints.</summary>
static partial class Explanation
{
    const int Indent = 2;
    const int NameColumns = 30; // the longest id, indented, and two blanks

    /// <summary>What there is to explain, by section.</summary>
    /// <param name="columns">Length of a line, at most.</param>
    public static IEnumerable<PlainLine> List(int columns)
    {
        yield return new("tcpdiag explain NAME explains a finding or a word.");
        foreach (IGrouping<string, Topic> section in Topics.All.GroupBy(topic => topic.Section, StringComparer.Ordinal))
        {
            yield return new(string.Empty);
            yield return new(section.Key, IsHeading: true);
            IEnumerable<string> lines = section.Key is Topics.Findings
                ? section.SelectMany(topic => Entry(topic, columns))
                : PlainMarkdown.Wrap(string.Join(" · ", section.SelectMany(topic => topic.Names).Select(name => $"`{name}`")), columns, "  ", "  ");
            foreach (string line in lines)
            {
                yield return new(line);
            }
        }
    }

    /// <summary>The explanation of one: the page, or what the glossary says.</summary>
    /// <param name="topic">What to explain.</param>
    /// <param name="columns">Length of a line, at most.</param>
    public static IEnumerable<PlainLine> Of(Topic topic, int columns) => topic.Page is { } page
        ? [.. PlainMarkdown.Render(page, columns), .. SeeAlso(topic, page, columns)]
        : OfTerm(topic, columns);

    static IEnumerable<PlainLine> OfTerm(Topic topic, int columns)
    {
        foreach (string line in PlainMarkdown.Wrap(string.Join(", ", topic.Names), columns))
        {
            yield return new(line, IsHeading: true);
        }

        string indent = new(' ', Indent);
        foreach (string line in PlainMarkdown.Wrap(topic.InAWord, columns, indent, indent))
        {
            yield return new(line);
        }

        string source = topic.Source is "ours" ? "From: tcpdiag's own word" : $"From: {topic.Source}";
        foreach (string line in PlainMarkdown.Wrap(source, columns, indent, indent))
        {
            yield return new(line);
        }
    }

    static IEnumerable<PlainLine> SeeAlso(Topic topic, string page, int columns)
    {
        List<string> others =
        [
            .. FindingLink().Matches(page).Select(match => match.Groups["id"].Value)
                .Where(id => !string.Equals(id, topic.Names[0], StringComparison.Ordinal) && Topics.Find(id).Count > 0)
                .Distinct(StringComparer.Ordinal),
        ];
        if (others.Count == 0)
        {
            yield break;
        }

        yield return new(string.Empty);
        foreach (string line in PlainMarkdown.Wrap(string.Join(", ", others), columns, "See also: ", "  "))
        {
            yield return new(line);
        }
    }

    static IEnumerable<string> Entry(Topic topic, int columns) =>
        PlainMarkdown.Wrap(topic.InAWord, columns, $"  {topic.Names[0]}".PadRight(NameColumns), new string(' ', NameColumns));

    [GeneratedRegex(@"\]\((?<id>[a-z0-9-]+)\.md\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex FindingLink();
}
