using System;
using System.Collections.Generic;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Report.Json;

namespace TcpDiag.Report;

/// <summary>What a recording would do, for people. Commands stand alone on their lines, to be copied.</summary>
public static class CapturePlanReport
{
    /// <summary>Writes the report.</summary>
    /// <param name="console">Where to.</param>
    /// <param name="plan">The plan.</param>
    public static void Write(IAnsiConsole console, CapturePlanDocument plan)
    {
        string place = plan.WindowsBuild is { } build ? Invariant($" for Windows build {build}") : string.Empty;
        Line(console, Invariant($"{plan.Engine}{place} ({plan.Reason}): {plan.Match} for {plan.DurationSeconds} s{(plan.Until.Count == 0 ? string.Empty : $", or until {string.Join(" or ", plan.Until)}")}"));
        Commands(console, "Start", plan.Start);
        Commands(console, "Stop", plan.Stop);
        Line(console, "Costs");
        Line(console, $"  disk: at most {Quantity.Bytes(plan.DiskBytes)}");
        if (plan.MemoryBytes is { } memory)
        {
            Line(console, $"  memory: {Quantity.Bytes(memory)} that are never paged out");
        }

        Line(console, $"  processor: {plan.Processor}");
        Line(console, $"  privacy: {plan.Privacy}");
        foreach (string remark in plan.Remarks)
        {
            Line(console, $"Note: {remark}");
        }
    }

    static void Commands(IAnsiConsole console, string title, IReadOnlyList<PlannedCommandEntry> commands)
    {
        if (commands.Count == 0)
        {
            return;
        }

        Line(console, title);
        foreach (PlannedCommandEntry command in commands)
        {
            Line(console, $"  # {command.Purpose}");

            // Not wrapped: a command that is copied in pieces does not run.
            console.Profile.Out.Writer.WriteLine($"  {SafeText.OneLine(command.Command)}");
        }
    }

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(SafeText.OneLine(text) + "\n"));

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
