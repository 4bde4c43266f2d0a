using System;
using System.Collections.Generic;
using Spectre.Console;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Json;

namespace TcpDiag.Report;

/// <summary>The text form of a recording: one line for what it holds, one for each thing that is missing.</summary>
public static class CaptureReport
{
    const double NanosecondsPerSecond = 1e9;

    /// <summary>Writes the report.</summary>
    public static void Write(IAnsiConsole console, CaptureDocument capture)
    {
        string duration = Quantity.Duration((long)(capture.DurationSeconds * NanosecondsPerSecond));
        string events = capture.StackEvents is { } count ? Invariant($", {count} stack events, {capture.Samples} samples") : string.Empty;
        Line(console, Invariant($"{SafeText.OneLine(capture.File)}: {capture.Packets} packets{events} in {duration}, {Quantity.Bytes(capture.Bytes)}"));
        foreach (CapturedInterfaceEntry captured in capture.Interfaces)
        {
            string dropped = captured.Dropped > 0 ? Invariant($", {captured.Dropped} LOST between kernel and recorder") : string.Empty;
            Line(console, Invariant($"  {SafeText.OneLine(captured.Name)}: {captured.Packets} packets{dropped}"));
        }

        if (capture.LostEvents > 0)
        {
            Line(console, Invariant($"  {capture.LostEvents} stack events LOST between kernel and recorder"));
        }

        if (capture.LostBuffers > 0)
        {
            Line(console, Invariant($"  {capture.LostBuffers} buffers LOST, with all the packets and events in them"));
        }

        if (capture.OutOfOrder > 0)
        {
            Line(console, Invariant($"  {capture.OutOfOrder} records stand out of order: they came too late to be sorted"));
        }

        if (capture.Trigger is { } trigger)
        {
            string how = capture.StopReason is "trigger" ? "stopped because" : "a condition came true:";
            Line(console, Invariant($"  {how} {SafeText.OneLine(trigger.What)}, {(trigger.Utc - capture.StartUtc).TotalSeconds:F1} s from the start"));
        }

        if (WhyEarly(capture.StopReason) is { } why)
        {
            Line(console, $"  {why}");
        }

        foreach (string remark in capture.Remarks)
        {
            Line(console, $"  {SafeText.OneLine(remark)}");
        }
    }

    static string? WhyEarly(string reason) => reason switch
    {
        "size" => "stopped because the file has reached its size (--size)",
        "disk" => "stopped because the disk is nearly full",
        "ended" => "stopped because somebody else ended the session",
        _ => null,
    };

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(text + "\n"));

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}

/// <summary>The text form of a plan: what a recording would do. Each command has a line of its own, so that it can be copied.</summary>
public static class CapturePlanReport
{
    /// <summary>Writes the report.</summary>
    public static void Write(IAnsiConsole console, CapturePlanDocument plan)
    {
        string build = plan.WindowsBuild is { } number ? Invariant($" for Windows build {number}") : string.Empty;
        string until = plan.Until.Count == 0 ? string.Empty : $", or until {string.Join(" or ", plan.Until)}";
        Line(console, Invariant($"{plan.Engine}{build} ({plan.Reason}): {plan.Match} for {plan.DurationSeconds} s{until}"));
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

            // Not wrapped: a command copied in pieces does not run.
            console.Profile.Out.Writer.WriteLine($"  {SafeText.OneLine(command.Command)}");
        }
    }

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(SafeText.OneLine(text) + "\n"));

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
