using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;

namespace TcpDiag.Report;

/// <summary>
/// The findings for people, an entry for each cause: the first with its cause, evidence and advice, the others a line or two each. Every line fits
/// the console.
/// </summary>
public static class FindingsReport
{
    const int Indent = 4;
    const int Listed = 5; // connections of a finding, about a line

    /// <summary>Writes the findings.</summary>
    /// <param name="console">Takes the text.</param>
    /// <param name="findings">The findings, in order.</param>
    /// <param name="top">Entries to list, at most: findings of one id are one, with the worst connections.</param>
    /// <param name="explained">How many of these come with cause, evidence and advice.</param>
    public static void Write(IAnsiConsole console, IReadOnlyList<Finding> findings, int top, int explained)
    {
        if (findings.Count == 0 || top == 0)
        {
            return;
        }

        IReadOnlyList<FindingGroup> groups = FindingGroups.Of(findings);
        Line(console, string.Empty);
        Line(console, "What was found, most time lost first");
        for (int i = 0; i < groups.Count && i < top; i++)
        {
            WriteHead(console, groups[i], i + 1);
            if (i < explained)
            {
                WriteDetails(console, groups[i].Worst);
            }
        }

        if (groups.Count > top)
        {
            Line(console, Invariant($"… and {groups.Count - top} more; --findings {groups.Count} lists them, --explain gives the reasons for each"));
        }
    }

    /// <summary>Writes why there are none.</summary>
    /// <param name="console">Takes the text.</param>
    /// <param name="reason">The reason.</param>
    public static void WriteNothing(IAnsiConsole console, string reason)
    {
        Line(console, string.Empty);
        Wrapped(console, SafeText.OneLine(reason), 0, 0);
    }

    /// <summary>A finding in one line: connection, identifier and title.</summary>
    /// <returns>Plain text without control characters.</returns>
    public static string OneLine(Finding finding) =>
        SafeText.OneLine($"{Cost(finding.SecondsLost)} {Subject(finding)} {finding.Id} ({Sureness(finding)}): {finding.Title}");

    /// <summary>Writes a finding while the trace goes on: a line or two.</summary>
    /// <param name="console">Takes the text.</param>
    /// <param name="finding">The finding.</param>
    /// <param name="news">What is told of it.</param>
    public static void WriteOne(IAnsiConsole console, Finding finding, FindingNews news) => Wrapped(console, Told(finding, news), 0, Indent);

    static string Told(Finding finding, FindingNews news) => news switch
    {
        FindingNews.SoFar => $"{Mark(finding.Severity),-8} so far {OneLine(finding)}",
        FindingNews.Withdrawn => $"withdrawn {Subject(finding)}{finding.Id}: what was told does not hold for all of the connection",
        _ => $"{Mark(finding.Severity),-8} {OneLine(finding)}",
    };

    static void WriteHead(IAnsiConsole console, FindingGroup group, int number)
    {
        Finding worst = group.Worst;
        string subject = group.Findings.Count == 1 ? Subject(worst) : string.Empty;
        string head = $"{number,2}. {Mark(group.Severity),-8} {Cost(group.SecondsLost),9}  {subject}{worst.Id}, {Sureness(worst)}";
        Line(console, head, Colour(group.Severity));
        Wrapped(console, SafeText.OneLine(worst.Title), Indent, Indent);
        if (group is { Findings.Count: > 1, Connections: > 0 })
        {
            string extent = $"On {FindingWords.Extent(group)}{(group.SecondsLost > 0 ? ", the worst" : string.Empty)}:";
            Wrapped(console, [.. extent.Split(' '), .. Worst(group)], Indent, Indent + 2);
        }
    }

    // No line breaks within an item.
    static string[] Worst(FindingGroup group)
    {
        int listed = Math.Min(group.Findings.Count, Listed);
        string[] items =
        [
            .. group.Findings.Take(listed).Select((finding, i) =>
                $"{FindingWords.Subject(finding)} {FindingWords.Cost(finding.SecondsLost)}".TrimEnd() + (i + 1 < listed ? "," : string.Empty)),
        ];
        return group.Findings.Count > listed ? [.. items, Invariant($"and {group.Findings.Count - listed} more")] : items;
    }

    static string Sureness(Finding finding) => Invariant($"{finding.Confidence:0 %} sure");

    static void WriteDetails(IAnsiConsole console, Finding finding)
    {
        FindingText text = finding.Text();
        Wrapped(console, $"Why: {SafeText.OneLine(text.Cause)}", Indent, Indent + 5);
        foreach (FindingEvidence evidence in text.Evidence)
        {
            string of = finding.SeenIn is { } capture ? $" of {SafeText.OneLine(capture)}" : string.Empty;
            string packet = evidence.FirstPacket is { } number ? Invariant($" (from packet {number}{of})") : string.Empty;
            Wrapped(console, $"· {SafeText.OneLine($"{evidence.Measure}: {evidence.Value}")}{packet}", Indent, Indent + 2);
        }

        foreach (string advice in text.Advice)
        {
            Wrapped(console, $"→ {SafeText.OneLine(advice)}", Indent, Indent + 2);
        }
    }

    static string Mark(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Critical => "CRITICAL",
        FindingSeverity.Warning => "warning",
        _ => "note",
    };

    static Style Colour(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Critical => new Style(Color.Red, decoration: Decoration.Bold),
        FindingSeverity.Warning => new Style(Color.Yellow),
        _ => Style.Plain,
    };

    static string Cost(double? seconds) => FindingWords.Cost(seconds) ?? "-";

    static string Subject(Finding finding) => finding.Connection is null ? string.Empty : $"{FindingWords.Subject(finding)}  ";

    static void Wrapped(IAnsiConsole console, string text, int first, int next) => Wrapped(console, text.Split(' '), first, next);

    static void Wrapped(IAnsiConsole console, IEnumerable<string> words, int first, int next)
    {
        string line = new(' ', first);
        bool isFresh = true;
        foreach (string word in words)
        {
            if (!isFresh && line.Length + 1 + word.Length > console.Profile.Width)
            {
                Line(console, line);
                line = new string(' ', next);
                isFresh = true;
            }

            line += isFresh ? word : " " + word;
            isFresh = false;
        }

        Line(console, line);
    }

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    // Text, not markup: nothing in it is taken for a tag.
    static void Line(IAnsiConsole console, string text, Style? style = null)
    {
        console.Write(new Text(text, style));
        console.WriteLine();
    }
}
