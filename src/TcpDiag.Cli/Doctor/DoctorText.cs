using System.Collections.Generic;
using System.Linq;
using Spectre.Console;
using TcpDiag.Cli.Explain;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Doctor;
using TcpDiag.Report;

namespace TcpDiag.Cli.Doctor;

/// <summary>The checks for people: problems first, what to do under each; what is fine in a line each.</summary>
/// <param name="console">Where to write.</param>
/// <param name="sentences">The language.</param>
sealed class DoctorText(IAnsiConsole console, Sentences sentences)
{
    const int Head = 24; // "problem  tcp-settings  " and a blank

    /// <summary>Writes the checks.</summary>
    public void Write(IReadOnlyList<Check> checks)
    {
        foreach (Check check in checks.OrderBy(Rank))
        {
            string head = $"{Mark(check.Result),-8} {sentences.Of($"check.{check.Id}")}".PadRight(Head - 1) + " ";
            Lines(SafeText.OneLine(sentences.Say(check.Found)), head, Style(check.Result));
            if (check.Remedy is { } remedy && check.Result is not CheckResult.Fine)
            {
                Write(remedy);
            }
        }

        console.WriteLine();
        console.Write(new Text(Summary(checks)));
        console.WriteLine();
    }

    void Write(Remedy remedy)
    {
        string indent = new(' ', Head);
        AnswerStep step = new AnswerWords(sentences).Step(remedy);
        Lines(step.What, indent + "→ ");
        int width = step.Details.Max(detail => detail.Name.Length) + ": ".Length;
        foreach (AnswerDetail detail in step.Details)
        {
            Lines(detail.IsCommand ? $"`{detail.Value}`" : detail.Value, indent + "  " + $"{detail.Name}:".PadRight(width));
        }
    }

    string Summary(IReadOnlyList<Check> checks)
    {
        int problems = checks.Count(check => check.Result is CheckResult.Problem);
        int unknown = checks.Count(check => check.Result is CheckResult.Unknown);
        string left = unknown == 0 ? string.Empty : sentences.Of("doctor.unknown", unknown);
        return sentences.Of(problems switch { 0 => "doctor.none", 1 => "doctor.one", _ => "doctor.many" }, left, problems);
    }

    static int Rank(Check check) => check.Result switch
    {
        CheckResult.Problem => 0,
        CheckResult.Note => 1,
        CheckResult.Unknown => 2,
        _ => 3,
    };

    string Mark(CheckResult result) => sentences.Of(result switch
    {
        CheckResult.Problem => "mark.problem",
        CheckResult.Note => "mark.note",
        CheckResult.Unknown => "mark.unknown",
        _ => "mark.fine",
    });

    static Style Style(CheckResult result) => result is CheckResult.Problem ? new(Color.Red, decoration: Decoration.Bold) : Spectre.Console.Style.Plain;

    void Lines(string text, string head, Style? style = null)
    {
        foreach (string line in PlainMarkdown.Wrap(text, console.Profile.Width, head, new string(' ', head.Length)))
        {
            console.Write(new Text(line, style));
            console.WriteLine();
        }
    }
}
