using System;
using System.Collections.Generic;
using System.Globalization;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Report;

/// <summary>The findings for people: the first with its cause, evidence and advice, the others a line or two each. Every line fits 80 columns.</summary>
public static class FindingsReport
{
    const int Columns = 80;
    const int Indent = 4;

    /// <summary>Writes the findings.</summary>
    /// <param name="console">Where to.</param>
    /// <param name="findings">The findings, in order.</param>
    /// <param name="top">Most findings to list.</param>
    /// <param name="explained">How many of them are told with cause, evidence and advice.</param>
    public static void Write(IAnsiConsole console, IReadOnlyList<Finding> findings, int top, int explained)
    {
        if (findings.Count == 0 || top == 0)
        {
            return;
        }

        Line(console, string.Empty);
        Line(console, "What was found, most time lost first");
        int groups = 0;
        int told = 0;
        while (told < findings.Count && groups < top)
        {
            int alike = Alike(findings, told);
            WriteHead(console, findings[told], ++groups, alike - 1);
            if (groups <= explained)
            {
                WriteDetails(console, findings[told]);
            }

            told += alike;
        }

        if (told < findings.Count)
        {
            Line(console, Invariant($"… and {findings.Count - told} more; --findings {findings.Count} lists them, --explain tells the reasons of each"));
        }
    }

    // Findings in a row that cost nothing and are the same for many connections are told once.
    static int Alike(IReadOnlyList<Finding> findings, int first)
    {
        int end = first + 1;
        while (end < findings.Count && AreAlike(findings[first], findings[end]))
        {
            end++;
        }

        return end - first;
    }

    /// <summary>A finding in one line: place, identifier and title.</summary>
    /// <param name="finding">The finding.</param>
    /// <returns>Plain text without control characters.</returns>
    public static string OneLine(Finding finding) => SafeText.OneLine($"{Cost(finding)} {Place(finding)} {finding.Id}: {finding.Title}");

    /// <summary>Writes a finding while the trace goes on: a line or two.</summary>
    /// <param name="console">Where to.</param>
    /// <param name="finding">The finding.</param>
    /// <param name="goesOn">Whether its connection goes on, so that it may cost more yet.</param>
    public static void WriteOne(IAnsiConsole console, Finding finding, bool goesOn) =>
        Wrapped(console, $"{Mark(finding.Severity),-8} {(goesOn ? "so far " : string.Empty)}{OneLine(finding)}", 0, Indent);

    static bool AreAlike(Finding one, Finding other) =>
        one.SecondsLost is null && other.SecondsLost is null && string.Equals(one.Id, other.Id, StringComparison.Ordinal);

    static void WriteHead(IAnsiConsole console, Finding finding, int number, int others)
    {
        string more = others > 0 ? $" (and {Quantity.Count(others, "other connection")})" : string.Empty;
        Line(console, $"{number,2}. {Mark(finding.Severity),-8} {Cost(finding),9}  {Place(finding)}{finding.Id}", Colour(finding.Severity));
        Wrapped(console, SafeText.OneLine(finding.Title) + more, Indent, Indent);
    }

    static void WriteDetails(IAnsiConsole console, Finding finding)
    {
        FindingText text = finding.Text();
        Wrapped(console, $"Why: {SafeText.OneLine(text.Cause)}", Indent, Indent + 5);
        foreach (FindingEvidence evidence in text.Evidence)
        {
            string packet = evidence.FirstPacket is { } number ? Invariant($" (from packet {number})") : string.Empty;
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

    static string Cost(Finding finding) => finding.SecondsLost is > 0 and { } lost ? Quantity.Duration((long)(lost * 1e9)) : "-";

    static string Place(Finding finding)
    {
        if (finding.Connection is not { } connection)
        {
            return string.Empty;
        }

        string way = finding.IsFromClient switch
        {
            true => " upload",
            false => " download",
            null => string.Empty,
        };
        return Invariant($"#{connection.Index}{way}  ");
    }

    static void Wrapped(IAnsiConsole console, string text, int first, int next)
    {
        string line = new(' ', first);
        bool isFresh = true;
        foreach (string word in text.Split(' '))
        {
            if (!isFresh && line.Length + 1 + word.Length > Columns)
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
