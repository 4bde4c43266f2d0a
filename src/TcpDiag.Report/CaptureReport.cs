using System;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Report.Json;

namespace TcpDiag.Report;

/// <summary>A recording for people: one line for what it holds, one for each thing that is missing.</summary>
public static class CaptureReport
{
    const double NanosecondsPerSecond = 1e9;

    /// <summary>Writes the report.</summary>
    /// <param name="console">Where to.</param>
    /// <param name="capture">What the recording holds.</param>
    public static void Write(IAnsiConsole console, CaptureDocument capture)
    {
        string duration = Quantity.Duration((long)(capture.DurationSeconds * NanosecondsPerSecond));
        string events = capture.StackEvents is { } count ? Invariant($", {count} stack events, {capture.Samples} samples") : string.Empty;
        Line(console, Invariant($"{SafeText.OneLine(capture.File)}: {capture.Packets} packets{events} in {duration}, {Quantity.Bytes(capture.Bytes)}"));
        foreach (CapturedInterfaceEntry place in capture.Interfaces)
        {
            string dropped = place.Dropped > 0 ? Invariant($", {place.Dropped} LOST between kernel and recorder") : string.Empty;
            Line(console, Invariant($"  {SafeText.OneLine(place.Name)}: {place.Packets} packets{dropped}"));
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
