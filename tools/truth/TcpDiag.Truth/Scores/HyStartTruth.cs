using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;

namespace TcpDiag.Truth.Scores;

/// <summary>How slow start ended by what was in flight, beside what CUBIC's HyStart counted in the kernel (TcpExtTCPHystart*).</summary>
public static class HyStartTruth
{
    const string Train = "a train of acknowledgments";
    const string Delay = "a growing delay";
    const string None = "not by HyStart";

    /// <summary>The table.</summary>
    /// <param name="directory">What <c>lab run</c> wrote; the sides whose name begins with cubic count.</param>
    /// <param name="point">Which capture of a run: sender or receiver.</param>
    /// <returns>Markdown, and a line for each run that was told otherwise.</returns>
    public static (string Table, IReadOnlyList<string> Others) Of(string directory, string point)
    {
        Exit[] exits =
        [
            .. LabFolder.Runs(directory).Where(one => one.Run.Text("side").StartsWith("cubic", StringComparison.Ordinal))
            .Select(one => Read(one.Folder, one.Run, point)),
        ];
        StringBuilder text = new("| the kernel left slow start | runs | the same told | left open | told otherwise | cwnd then, told by kernel "
            + "|\n|---|--:|--:|--:|--:|---|\n");
        foreach (IGrouping<string, Exit> group in exits.GroupBy(exit => exit.Kernel, StringComparer.Ordinal).OrderByDescending(group => group.Count()))
        {
            double[] ratios = [.. group.Where(exit => exit.Ratio > 0).Select(exit => exit.Ratio).Order()];
            string range = ratios.Length == 0 ? "" : string.Create(
                CultureInfo.InvariantCulture, $"{ratios[ratios.Length / 2]:0.00} ({ratios[0]:0.00}–{ratios[^1]:0.00}), {ratios.Length} runs");
            text.Append(CultureInfo.InvariantCulture,
                $"| {group.Key} | {group.Count()} | {group.Count(exit => exit.IsSame)} | {group.Count(exit => exit.IsOpen)} | ");
            text.Append(CultureInfo.InvariantCulture, $"{group.Count(exit => !exit.IsSame && !exit.IsOpen)} | {range} |\n");
        }

        return (text.ToString(), [.. exits.Where(exit => !exit.IsSame).Select(exit => exit.ToString())]);
    }

    static Exit Read(string folder, JsonElement run, string point)
    {
        using TraceReader reader = TraceFile.Open(Path.Combine(folder, $"{point}.pcapng"));
        ConnectionDirection sent = TraceAnalyzer.Analyze(reader).Connections
            .SelectMany(one => new[] { one.FromClient, one.FromServer }).OrderByDescending(one => one.UniqueBytes).First();
        long train = ScoredRun.Counter(run, "hyStart", "trainDetect");
        long delay = ScoredRun.Counter(run, "hyStart", "delayDetect");
        long cwnd = train > 0 ? ScoredRun.Counter(run, "hyStart", "trainCwnd") : ScoredRun.Counter(run, "hyStart", "delayCwnd");
        double ratio = cwnd > 0 && sent.SlowStart?.ExitBytes is { } bytes && sent.Mss is > 0 and { } mss ? (double)bytes / mss / cwnd : 0;
        return new(folder, train > 0 ? Train : delay > 0 ? Delay : None, sent.SlowStart?.Cause ?? SlowStartCause.Unknown, sent.SlowStart?.ExitBytes is not null,
            ratio);
    }

    sealed record Exit(string Folder, string Kernel, SlowStartCause Told, bool HasExit, double Ratio)
    {
        public bool IsSame => Kernel switch
        {
            Train => Told is SlowStartCause.AckTrain,
            Delay => Told is SlowStartCause.Delay or SlowStartCause.EarlyPacket,
            _ => !HasExit,
        };

        public bool IsOpen => !IsSame && Told is SlowStartCause.Unknown;

        public override string ToString() => FormattableString.Invariant($"{Folder}: the kernel {Kernel}, told {Told}, cwnd {Ratio:0.00} of the kernel's");
    }
}
