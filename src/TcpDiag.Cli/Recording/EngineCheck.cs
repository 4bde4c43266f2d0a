using System;
using System.Collections.Generic;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Triggers;
using TcpDiag.Capture.Windows;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Recording;

/// <summary>Options that one recorder has and another lacks. They are refused here and nowhere else, so that a plan and its recording agree.</summary>
static class EngineCheck
{
    const string StandardOutput = "-";

    static readonly string[] OptionsOfLinux = ["--sample", "--reads"];
    static readonly string[] OptionsOfWindows = ["--take-over", "--windows-build"];
    static readonly string[] OptionsOfPktmon = ["--drops"];

    // The Linux recorder writes to any file, even a device, but not under the extension of another format.
    static readonly string[] OtherTraces = [".etl", ".pcap", ".cap"];

    /// <summary>Looks at a command line.</summary>
    /// <param name="result">The command line; takes the errors.</param>
    /// <param name="options">Its options.</param>
    /// <param name="output">The file as the user named it; null for none.</param>
    /// <param name="isPlan">Whether nothing will be recorded.</param>
    public static void Validate(CommandResult result, CaptureOptions options, string? output, bool isPlan)
    {
        EngineChoice choice = options.ReadEngine(result);
        IReadOnlyList<TriggerCondition> until = options.ReadUntil(result);
        bool isSplitByTime = options.IsSplitByTime(result);
        string name = choice.Engine?.Name ?? EngineChoice.Linux;
        HashSet<string> given = [.. result.Children.OfType<OptionResult>().Where(option => !option.Implicit).Select(option => option.Option.Name)];
        IEnumerable<string> problems =
        [
            .. WrongSystem(choice, name, isPlan, given),
            .. Unknown(given, choice, name),
            .. given.Contains("--split") ? Pieces(choice, isSplitByTime, name) : [],
            .. until.OfType<EventSeen>().Select(condition => condition.WhyNotRecorded(onWindows: choice.Engine is not null)).OfType<string>(),
            .. output is null ? [] : Output(output, choice, name),
        ];
        foreach (string problem in problems)
        {
            result.AddError(problem);
        }
    }

    /// <summary>Refuses a recording that, on this machine as it is now, would be for nothing.</summary>
    /// <param name="settings">What is asked for.</param>
    /// <param name="choice">What records; not checked where that is another system.</param>
    /// <param name="output">The file as the user named it.</param>
    /// <exception cref="CaptureException">The result cannot be written, or a condition cannot come true.</exception>
    public static void RequirePossible(CaptureSettings settings, EngineChoice choice, string output)
    {
        if (!IsOfThisSystem(choice))
        {
            return;
        }

        string? why = output is StandardOutput ? null : ResultFile.WhyNoFile(output);
        why ??= settings.Until.OfType<ProcessChange>().Select(condition => condition.WhyNever()).FirstOrDefault(never => never is not null);
        if (why is not null)
        {
            throw new CaptureException(why);
        }
    }

    static bool IsOfThisSystem(EngineChoice choice) => choice.Engine is null ? OperatingSystem.IsLinux() : OperatingSystem.IsWindows();

    static IEnumerable<string> WrongSystem(EngineChoice choice, string name, bool isPlan, HashSet<string> given)
    {
        if (!isPlan && given.Contains("--windows-build"))
        {
            yield return "--windows-build: plans for a machine that is not this one, with --dry-run only";
        }
        else if (!isPlan && given.Contains("--engine") && !IsOfThisSystem(choice))
        {
            yield return $"--engine: {name} records on {(choice.Engine is null ? "Linux" : "Windows")} only; --dry-run shows what it would do there";
        }
    }

    static IEnumerable<string> Unknown(HashSet<string> given, EngineChoice choice, string name)
    {
        IEnumerable<string> unknown = choice.Engine switch
        {
            null => [.. OptionsOfWindows, .. OptionsOfPktmon],
            { Name: "pktmon" } => OptionsOfLinux,
            _ => [.. OptionsOfLinux, .. OptionsOfPktmon],
        };
        return unknown.Where(given.Contains).Select(option => $"{option}: {name} does not know it, only {Owner(option)} does");
    }

    // Sessions one after the other would leave gaps between their traces.
    static IEnumerable<string> Pieces(EngineChoice choice, bool isByTime, string name)
    {
        if (choice.Engine?.WhyNotSplit(isByTime, choice.Build) is { } reason)
        {
            yield return $"--split: {name} {reason}";
        }
    }

    static string Owner(string option) =>
        OptionsOfLinux.Contains(option, StringComparer.Ordinal) ? "the recorder of Linux"
        : OptionsOfPktmon.Contains(option, StringComparer.Ordinal) ? "pktmon"
        : "an engine of Windows";

    static IEnumerable<string> Output(string output, EngineChoice choice, string name)
    {
        string extension = output is StandardOutput ? string.Empty : Path.GetExtension(output).ToLowerInvariant();
        if (output.Length == 0)
        {
            yield return "--out: expected a file, found ''";
        }
        else if (choice.Engine is not null && output is StandardOutput)
        {
            yield return $"--out -: {name} records into a file, not to standard output; name one";
        }
        else if (choice.Engine is null ? OtherTraces.Contains(extension, StringComparer.Ordinal) : extension is not (".etl" or BundleWriter.Extension))
        {
            yield return $"--out {output}: {name} writes {(choice.Engine is null ? ".pcapng" : ".etl")}, or a bundle (.tcpdiag); name it so";
        }
    }
}
