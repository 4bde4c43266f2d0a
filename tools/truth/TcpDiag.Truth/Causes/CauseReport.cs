using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;

namespace TcpDiag.Truth.Causes;

/// <summary>Runs the whole corpus and counts what is right: by cause, by scenario and capture, and over all.</summary>
static class CauseReport
{
    static readonly (SenderState Truth, LimitState[] Analysis)[] States =
    [
        (SenderState.Application, [LimitState.Application, LimitState.Idle]),
        (SenderState.SendBuffer, [LimitState.SendBuffer]),
        (SenderState.CongestionWindow, [LimitState.CongestionWindow]),
        (SenderState.ReceiveWindow, [LimitState.ReceiveWindow]),
        (SenderState.Pacing, [LimitState.Pacing]),
    ];

    static readonly (string Name, Func<CaptureView, bool> Includes)[] Columns =
    [
        ("sender", view => view is { Kind: CaptureKind.Whole, Point: SegmentPoint.Sender }),
        ("middle", view => view is { Kind: CaptureKind.Whole, Point: SegmentPoint.Middle }),
        ("receiver", view => view is { Kind: CaptureKind.Whole, Point: SegmentPoint.Receiver }),
        ("late: sender", view => view is { Kind: CaptureKind.Late, Point: SegmentPoint.Sender }),
        ("late: middle", view => view is { Kind: CaptureKind.Late, Point: SegmentPoint.Middle }),
        ("late: receiver", view => view is { Kind: CaptureKind.Late, Point: SegmentPoint.Receiver }),
        ("68 bytes", view => view.Kind == CaptureKind.Cut),
        (".etl", view => view.Kind == CaptureKind.Etl),
        ("late .etl", view => view.Kind == CaptureKind.LateEtl),
    ];

    /// <summary>Runs the corpus.</summary>
    /// <param name="seed">Seed of the draws.</param>
    /// <param name="draws">Draws for each path.</param>
    /// <param name="only">Scenarios whose names contain this; null for all.</param>
    /// <param name="keep">Folder that keeps the captures; null for none.</param>
    /// <returns>The runs.</returns>
    public static IReadOnlyList<CauseRun> Run(int seed, int draws, string? only, string? keep)
    {
        if (keep is not null)
        {
            Directory.CreateDirectory(keep);
        }

        ConcurrentBag<CauseRun> runs = [];
        var work = from draw in Enumerable.Range(0, draws)
                   from scenario in Scenarios.All
                   where only is null || scenario.Name.Contains(only, StringComparison.Ordinal)
                   from path in scenario.Paths
                   select (scenario, path, draw);
        Parallel.ForEach(work, item =>
        {
            int own = Hash($"{seed} {item.draw} {item.scenario.Name} {item.path}");
            foreach (CauseRun run in CauseRunner.Run(item.scenario, item.path, own & int.MaxValue, keep))
            {
                runs.Add(run);
            }
        });
        return [.. runs];
    }

    /// <summary>The tables.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(IReadOnlyList<CauseRun> runs)
    {
        StringBuilder text = new();
        AppendSummaries(text, runs);
        text.Append("\nWhole captures, from all three points:\n\n");
        AppendCauses(text, [.. runs.Where(run => run.View.Kind == CaptureKind.Whole)]);
        text.Append("\nTime lost, of whole captures in which the cause is named and cost 10 % and 0.3 s or more: ").Append(CauseTimes.ToMarkdown(runs));
        text.Append("\nThe same as .etl of three builds:\n\n");
        AppendCauses(text, [.. runs.Where(run => run.View.Kind == CaptureKind.Etl)]);
        text.Append("\nBy scenario, captures judged rightly:\n\n");
        AppendScenarios(text, runs);
        return text.ToString();
    }

    /// <summary>What was wrong, a line each: what was found, and the shares of states in truth and by the analysis.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>Lines.</returns>
    public static IEnumerable<string> Wrong(IEnumerable<CauseRun> runs) =>
        from run in runs
        where !run.IsRight || run.IsFalseSendBuffer
        orderby run.Scenario.Name, run.Path, run.View.ToString()
        select string.Create(CultureInfo.InvariantCulture, $"{run.Scenario.Name} {run.Path} {run.View} {run.Draw} {run.Sender}: {Found(run)}; {Shares(run)}");

    static void AppendSummaries(StringBuilder text, IReadOnlyList<CauseRun> runs)
    {
        text.Append("| captures | healthy without a warning | faulty with the cause first | with the cause anywhere | limits unknown, and nothing claimed | another cause surely | send buffer blamed for nothing |\n");
        text.Append("|---|---|---|---|---|---|---|\n");
        foreach ((string name, Func<CaptureView, bool> includes) in Columns)
        {
            CauseRun[] seen = [.. runs.Where(run => includes(run.View))];
            CauseRun[] healthy = [.. seen.Where(run => run.Scenario.IsHealthy)];
            CauseRun[] faulty = [.. seen.Where(run => !run.Scenario.IsHealthy && run.IsVisible)];
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {Share(healthy, run => run.IsRight)} | {Share(faulty, run => run.IsRight)} | {Share(faulty, run => run.IsNamed)} ");
            text.Append(CultureInfo.InvariantCulture, $"| {Share(faulty, run => run.IsUnknown)} | {Share(faulty, run => run.IsWrong)} | {Share(seen, run => run.IsFalseSendBuffer)} |\n");
        }
    }

    // A cause that is named by a note counts where it is right; where it is wrong, only a warning does.
    static void AppendCauses(StringBuilder text, CauseRun[] runs)
    {
        text.Append("| cause | captures | first: precision | recall | all: precision | recall |\n|---|---|---|---|---|---|\n");
        foreach (string cause in runs.Where(run => !run.Scenario.IsHealthy).Select(run => run.Scenario.Cause).Distinct().Order(StringComparer.Ordinal))
        {
            CauseRun[] own = [.. runs.Where(run => run.IsVisible && string.Equals(run.Scenario.Cause, cause, StringComparison.Ordinal))];
            CauseRun[] first = [.. runs.Where(run => run.First is { } finding && Names(run, finding, cause))];
            CauseRun[] all = [.. runs.Where(run => run.Findings.Any(finding => Names(run, finding, cause)))];
            text.Append(CultureInfo.InvariantCulture,
                $"| `{cause}` | {own.Length} | {Share(first, run => run.Scenario.Allows(cause))} | {Share(own, run => run.IsRight)} ");
            text.Append(CultureInfo.InvariantCulture, $"| {Share(all, run => run.Scenario.Allows(cause))} | {Share(own, run => run.IsNamed)} |\n");
        }
    }

    static bool Names(CauseRun run, Finding finding, string cause) =>
        string.Equals(finding.Id, cause, StringComparison.Ordinal) && (CauseRun.IsWarning(finding) || run.Scenario.Allows(cause));

    static void AppendScenarios(StringBuilder text, IReadOnlyList<CauseRun> runs)
    {
        text.Append(CultureInfo.InvariantCulture,
            $"| scenario | {string.Join(" | ", Columns.Select(column => column.Name))} | median points off | instead, of whole captures |\n");
        text.Append(CultureInfo.InvariantCulture, $"|---|{string.Concat(Columns.Select(_ => "---|"))}---|---|\n");
        foreach (Scenario scenario in Scenarios.All)
        {
            CauseRun[] own = [.. runs.Where(run => run.Scenario == scenario)];
            if (own.Length > 0)
            {
                IEnumerable<string> cells = Columns.Select(column => Right(own.Where(run => column.Includes(run.View))));
                CauseRun[] whole = [.. own.Where(run => run.View.Kind == CaptureKind.Whole)];
                text.Append(CultureInfo.InvariantCulture, $"| {(scenario.IsHealthy ? "healthy: " : "")}{scenario.Name} | {string.Join(" | ", cells)} ");
                text.Append(CultureInfo.InvariantCulture, $"| {MedianOff(whole):0.0} | {Instead(whole)} |\n");
            }
        }
    }

    static string Found(CauseRun run) => string.Join(
        ", ", run.Findings.Take(3).Select(
            finding => string.Create(CultureInfo.InvariantCulture, $"{finding.Id} {finding.Severity} {finding.SecondsLost:0.00} s")));

    static string Shares(CauseRun run) => string.Join(
        ' ',
        from state in States
        let wanted = 100 * run.TrueShare(state.Truth)
        let judged = run.Direction?.Limits is { } limits ? 100 * state.Analysis.Sum(one => (double)limits.Times.In(one)) / Math.Max(limits.Times.Total, 1)
            : double.NaN
        where wanted >= 1 || judged >= 1
        select string.Create(CultureInfo.InvariantCulture, $"{state.Truth}:{wanted:0}/{judged:0}"));

    static string Right(IEnumerable<CauseRun> runs)
    {
        CauseRun[] all = [.. runs];
        return string.Create(CultureInfo.InvariantCulture, $"{all.Count(run => run.IsRight)}/{all.Length}");
    }

    static string Share(CauseRun[] runs, Func<CauseRun, bool> holds) => runs.Length == 0 ? "–"
        : string.Create(CultureInfo.InvariantCulture, $"{100.0 * runs.Count(holds) / runs.Length:0.#} % ({runs.Count(holds)}/{runs.Length})");

    static string Instead(IEnumerable<CauseRun> runs) => string.Join(
        ", ",
        runs.Where(run => !run.IsRight)
            .GroupBy(run => run.First is { } first ? $"{first.Id} ({first.Severity})" : "nothing")
            .OrderByDescending(group => group.Count())
            .Select(group => $"{group.Key} ×{group.Count()}"));

    static double MedianOff(IEnumerable<CauseRun> runs)
    {
        double[] off = [.. runs.Where(run => run.Direction?.Limits is not null).Select(Off).Order()];
        return off.Length > 0 ? off[off.Length / 2] : double.NaN;
    }

    // The largest difference of a state's share, percentage points.
    static double Off(CauseRun run)
    {
        LimitTimes times = run.Direction!.Limits!.Times;
        return 100 * States.Max(state => Math.Abs(run.TrueShare(state.Truth) - (state.Analysis.Sum(one => (double)times.In(one)) / Math.Max(times.Total, 1))));
    }

    // The same in every process.
    static int Hash(string text) => text.Aggregate(17, (sum, character) => unchecked((sum * 31) + character));
}
