using System;
using System.Collections.Generic;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Report;

/// <summary>Says what a trace lacks, and what to add to the command that records it.</summary>
static class TraceRemarks
{
    const int DropLines = 5;

    /// <summary>The remarks about a trace.</summary>
    /// <param name="analysis">Its analysis.</param>
    /// <param name="reader">The trace, read to its end.</param>
    /// <param name="columns">Length of a line, at most, but of those about the machine.</param>
    /// <returns>Lines; none when there is nothing to say.</returns>
    public static IEnumerable<string> Of(TraceAnalysis analysis, TraceReader reader, int columns = 80)
    {
        if (reader.System.Simulation is { } simulation)
        {
            yield return SafeText.OneLine(simulation);
        }

        foreach (string line in MachineText.Of(analysis.Machine))
        {
            yield return line;
        }

        bool isEtl = reader.Format == TraceFormat.Etl;
        if (analysis.Packets == 0)
        {
            yield return isEtl
                ? "No packets in this trace. To get them, record with\n  netsh trace start capture=yes … or pktmon start --capture"
                : "No packets in this trace.";
        }
        else if (analysis.TcpPackets == 0)
        {
            yield return "There are packets in this trace, but no TCP among them.";
        }

        if (analysis.StackEvents == 0 && isEtl)
        {
            yield return "No events of the TCP stack in this trace. To get them, record with\n  netsh trace start provider=Microsoft-Windows-TCPIP level=5 …";
        }

        if (analysis.RepeatedPackets > 0)
        {
            yield return $"{analysis.RepeatedPackets} packets were captured at several points and count once.";
        }

        if (analysis.Drops.Count > 0)
        {
            yield return Drops(analysis.Drops, columns);
        }

        if (reader.System.LostEvents is > 0 and { } lost)
        {
            yield return $"The recorder lost {lost} events: counts are too low.";
        }

        if (reader.System.LostBuffers is > 0 and { } buffers)
        {
            yield return $"The recorder lost {buffers} buffers of events: counts are too low.";
        }
    }

    // Reasons and locations have up to 53 characters each: one line for each pair.
    static string Drops(IReadOnlyList<DropCount> drops, int columns)
    {
        long packets = drops.Sum(drop => drop.Packets);
        string noun = packets == 1 ? "packet" : "packets";
        IEnumerable<string> lines = drops.Take(DropLines).Select(drop =>
            "\n" + SafeText.OneLine($"  {drop.Packets} × {drop.Reason}{(drop.Location is null ? string.Empty : $" at {drop.Location}")}", columns));
        string rest = drops.Count > DropLines ? $"\n  … and {drops.Count - DropLines} more kinds; --json has them all" : string.Empty;
        return $"{packets} {noun} dropped on the recording machine:{string.Concat(lines)}{rest}";
    }
}

/// <summary>The machine that recorded a trace, and its unusual settings.</summary>
static class MachineText
{
    /// <summary>The lines.</summary>
    /// <param name="machine">From its snapshot; null without one.</param>
    /// <returns>One for the machine and one for each setting; none without a snapshot.</returns>
    public static IEnumerable<string> Of(MachineSummary? machine)
    {
        if (machine is null)
        {
            yield break;
        }

        string notes = machine.Notes.Count == 0 ? "no setting that matters is unusual" : "unusual settings:";
        yield return SafeText.OneLine($"Machine: {machine.OperatingSystem}, {notes}");
        foreach (MachineNote note in machine.Notes)
        {
            yield return SafeText.OneLine($"  {note.What}");
        }
    }
}

/// <summary>What a bundle says about the recording it holds.</summary>
static class BundleText
{
    // These matches leave nothing out.
    static readonly string[] EveryPacket = ["", "all"];

    /// <summary>What went wrong or is missing.</summary>
    /// <returns>One sentence for each remark and each section of the snapshot from which facts are missing.</returns>
    public static IEnumerable<string> Remarks(BundleContents bundle) =>
        bundle.Manifest.Remarks.Concat(bundle.FailedSections.Select(section => $"snapshot, {section.Name}: {section.Problem}"));

    /// <summary>What bears on an analysis: which traffic was recorded, an end other than by time or by hand, and the remarks.</summary>
    /// <returns>Lines; none when there is nothing to say.</returns>
    public static IEnumerable<string> Of(BundleContents bundle, int columns) => Sentences(bundle).SelectMany(sentence => TerminalText.Wrap(sentence, columns));

    /// <summary>The same, one sentence each.</summary>
    /// <returns>Sentences without line breaks; none when there is nothing to say.</returns>
    public static IEnumerable<string> Sentences(BundleContents bundle)
    {
        BundleManifest manifest = bundle.Manifest;
        string[] sentences =
        [
            .. EveryPacket.Contains(manifest.Match, StringComparer.Ordinal) ? [] : new[] { "Only this was recorded: " + manifest.Match },
            .. HowEnded(manifest.StopReason) is { } end ? new[] { end } : [],
            .. Remarks(bundle).Select(remark => "Recorder: " + remark),
        ];
        return sentences.Select(sentence => SafeText.OneLine(sentence));
    }

    // What recorders write (StopReasonText of TcpDiag.Capture), and the short names that older ones on Linux wrote. Anything else is a condition of --until.
    static string? HowEnded(string reason) => reason switch
    {
        "" or "duration" or "stopped" or "time is up" or "told to stop" => null,
        "size" or "the trace has its size" => "The recording ended early: the trace had its size (--size)",
        "disk" or "the disk is nearly full" => "The recording ended early: the disk was nearly full",
        "ended" or "the session was ended by somebody else" => "The recording ended early: somebody else ended its session",
        "trigger" => "The recording ended because a condition of --until came true",
        "found after its process had gone" => "The recorder was killed or the machine went down: this is what there was by then",
        _ => $"The recording ended because --until came true: {reason}",
    };
}

/// <summary>Reports what of a trace could not be read.</summary>
public static class ProblemReport
{
    const int MaxLines = 10;

    /// <summary>Writes one line for each problem, the first ones when there are many.</summary>
    /// <param name="console">Standard error.</param>
    /// <param name="reader">The trace, read to its end.</param>
    public static void Write(IAnsiConsole console, TraceReader reader) => Write(console, reader.Path, reader.Problems);

    /// <summary>Writes one line for each problem, the first ones when there are many.</summary>
    /// <param name="console">Standard error.</param>
    /// <param name="path">The trace as the user named it.</param>
    /// <param name="problems">What could not be read.</param>
    /// <returns>True when there is none.</returns>
    public static bool Write(IAnsiConsole console, string path, IReadOnlyList<TraceProblem> problems)
    {
        foreach (TraceProblem problem in problems.Take(MaxLines))
        {
            string position = FormattableString.Invariant($"{SafeText.OneLine(path)}@0x{problem.OffsetBytes:x}");
            console.Write(new Text($"{position}: {SafeText.OneLine(problem.Message)}\n"));
        }

        if (problems.Count > MaxLines)
        {
            console.Write(new Text(FormattableString.Invariant($"… and {problems.Count - MaxLines} more problems\n")));
        }

        return problems.Count == 0;
    }
}
