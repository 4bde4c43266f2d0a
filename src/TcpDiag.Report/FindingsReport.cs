using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report;

/// <summary>The findings for people: the first with its cause, evidence and advice, the others a line or two each. Every line fits the console.</summary>
public static class FindingsReport
{
    const int Indent = 4;

    /// <summary>Writes the findings.</summary>
    /// <param name="console">Takes the text.</param>
    /// <param name="findings">The findings, in order.</param>
    /// <param name="top">Findings to list, at most.</param>
    /// <param name="explained">How many of these come with cause, evidence and advice.</param>
    public static void Write(IAnsiConsole console, IReadOnlyList<Finding> findings, int top, int explained)
    {
        if (findings.Count == 0 || top == 0)
        {
            return;
        }

        Line(console, string.Empty);
        Line(console, "What was found, most time lost first");
        List<List<Finding>> kinds = Kinds(findings, top);
        int shown = Math.Min(kinds.Count, top);
        for (int kind = 0; kind < shown; kind++)
        {
            WriteHead(console, kinds[kind], kind + 1);
            if (kind < explained)
            {
                WriteDetails(console, kinds[kind][0]);
            }
        }

        int more = findings.Count - kinds.Take(shown).Sum(kind => kind.Count);
        if (more > 0)
        {
            Line(console, Invariant($"… and {more} more; --findings {findings.Count} lists them, --explain gives the reasons for each"));
        }
        else if (findings.Count > top)
        {
            Line(console, Invariant($"--findings {findings.Count} lists each, --explain gives the reasons"));
        }
    }

    // Where not all fit, findings of one kind are listed once, by the worst of them; those that cost nothing always are.
    static List<List<Finding>> Kinds(IReadOnlyList<Finding> findings, int top)
    {
        bool fits = findings.Count <= top;
        var kinds = new List<List<Finding>>();
        var byId = new Dictionary<string, List<Finding>>(StringComparer.Ordinal);
        foreach (Finding finding in findings)
        {
            if ((fits && finding.SecondsLost is not null) || !byId.TryGetValue(finding.Id, out List<Finding>? kind))
            {
                kinds.Add(kind = []);
            }

            kind.Add(finding);
            byId[finding.Id] = kind;
        }

        return kinds;
    }

    /// <summary>A finding in one line: connection, identifier and title.</summary>
    /// <returns>Plain text without control characters.</returns>
    public static string OneLine(Finding finding) =>
        SafeText.OneLine($"{Cost(finding.SecondsLost)} {Subject(finding)} {finding.Id} ({Sureness(finding)}): {finding.Title}");

    /// <summary>Writes a finding while the trace goes on: a line or two.</summary>
    /// <param name="console">Takes the text.</param>
    /// <param name="finding">The finding.</param>
    /// <param name="goesOn">Whether its connection is still open, so that the cost may rise.</param>
    public static void WriteOne(IAnsiConsole console, Finding finding, bool goesOn) =>
        Wrapped(console, $"{Mark(finding.Severity),-8} {(goesOn ? "so far " : string.Empty)}{OneLine(finding)}", 0, Indent);

    static void WriteHead(IAnsiConsole console, List<Finding> kind, int number)
    {
        Finding worst = kind[0];
        string head = $"{number,2}. {Mark(worst.Severity),-8} {Cost(worst.SecondsLost),9}  {Subject(worst)}{worst.Id}, {Sureness(worst)}";
        Line(console, head, Colour(worst.Severity));
        Wrapped(console, SafeText.OneLine(worst.Title) + Others(kind), Indent, Indent);
    }

    static string Others(List<Finding> kind)
    {
        if (kind.Count == 1)
        {
            return string.Empty;
        }

        double? lost = kind.Skip(1).Sum(finding => finding.SecondsLost ?? 0);
        string cost = lost > 0 ? $", {Cost(lost)} in all" : string.Empty;
        return $" (and {kind.Count - 1} more like it{cost})";
    }

    static string Sureness(Finding finding) => Invariant($"{finding.Confidence:0 %} sure");

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

    static string Cost(double? seconds) => seconds is > 0 and { } lost ? Quantity.Duration((long)(lost * 1e9)) : "-";

    static string Subject(Finding finding)
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
