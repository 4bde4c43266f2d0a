using System;
using System.Collections.Generic;
using System.Linq;
using Spectre.Console;
using TcpDiag.Cli.Explain;
using TcpDiag.Doctor;
using TcpDiag.Report;

namespace TcpDiag.Cli.Doctor;

/// <summary>The checks for people: problems first, what to do under each; what is fine in a line each.</summary>
static class DoctorText
{
    const int Head = 24; // "problem  tcp-settings  " and a blank

    /// <summary>Writes the checks.</summary>
    public static void Write(IAnsiConsole console, IReadOnlyList<Check> checks)
    {
        foreach (Check check in checks.OrderBy(Rank))
        {
            Lines(console, SafeText.OneLine(check.Found), $"{Mark(check.Result),-8} {check.Id}".PadRight(Head - 1) + " ", Style(check.Result));
            if (check.Remedy is { } remedy && check.Result is not CheckResult.Fine)
            {
                Write(console, remedy);
            }
        }

        console.WriteLine();
        console.Write(new Text(Summary(checks)));
        console.WriteLine();
    }

    /// <summary>Who can do something, in words.</summary>
    public static string Who(Doer who) => who switch
    {
        Doer.User => "you",
        Doer.Administrator => "you, with administrator's rights",
        Doer.Network => "your network team or provider",
        Doer.FarEnd => "the other side",
        _ => "who makes the program",
    };

    static void Write(IAnsiConsole console, Remedy remedy)
    {
        Lines(console, SafeText.OneLine(remedy.What), new string(' ', Head) + "→ ");
        if (remedy.Command is { } command)
        {
            Lines(console, $"`{SafeText.OneLine(command)}`", new string(' ', Head) + "  command: ");
        }

        if (remedy.Undo is { } undo)
        {
            Lines(console, $"`{SafeText.OneLine(undo)}`", new string(' ', Head) + "  undo:    ");
        }

        Lines(console, Who(remedy.Who), new string(' ', Head) + "  who:     ");
    }

    static string Summary(IReadOnlyList<Check> checks)
    {
        int problems = checks.Count(check => check.Result is CheckResult.Problem);
        int unknown = checks.Count(check => check.Result is CheckResult.Unknown);
        string left = unknown == 0 ? string.Empty : FormattableString.Invariant($"; {unknown} could not be checked");
        return problems switch
        {
            0 => $"Nothing here needs mending{left}.",
            1 => $"One problem{left}.",
            _ => FormattableString.Invariant($"{problems} problems{left}."),
        };
    }

    static int Rank(Check check) => check.Result switch
    {
        CheckResult.Problem => 0,
        CheckResult.Note => 1,
        CheckResult.Unknown => 2,
        _ => 3,
    };

    static string Mark(CheckResult result) => result switch
    {
        CheckResult.Problem => "PROBLEM",
        CheckResult.Note => "note",
        CheckResult.Unknown => "unknown",
        _ => "fine",
    };

    static Style Style(CheckResult result) => result is CheckResult.Problem ? new(Color.Red, decoration: Decoration.Bold) : Spectre.Console.Style.Plain;

    static void Lines(IAnsiConsole console, string text, string head, Style? style = null)
    {
        foreach (string line in PlainMarkdown.Wrap(text, console.Profile.Width, head, new string(' ', head.Length)))
        {
            console.Write(new Text(line, style));
            console.WriteLine();
        }
    }
}
