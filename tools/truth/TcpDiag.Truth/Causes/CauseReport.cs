using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using TcpDiag.Analysis.Results;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;

namespace TcpDiag.Truth.Causes;

/// <summary>Runs the whole corpus and counts what is right: by scenario, where it was captured, and over all.</summary>
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

    static readonly (bool IsLate, SegmentPoint Point)[] Kinds =
    [
        (false, SegmentPoint.Sender), (false, SegmentPoint.Receiver), (true, SegmentPoint.Sender), (true, SegmentPoint.Receiver),
    ];

    /// <summary>Runs the corpus.</summary>
    /// <param name="seed">Seed of the draws.</param>
    /// <param name="draws">Draws for each path.</param>
    /// <param name="only">Scenarios whose names contain this; null for all.</param>
    /// <param name="keep">Folder that keeps the captures; null for none.</param>
    /// <returns>The runs.</returns>
    public static IReadOnlyList<CauseRun> Run(int seed, int draws, string? only, string? keep)
    {
        ConcurrentBag<CauseRun> runs = [];
        var work = from scenario in Scenarios.All
                   where only is null || scenario.Name.Contains(only, StringComparison.Ordinal)
                   from path in scenario.Paths
                   from draw in Enumerable.Range(0, draws)
                   select (scenario, path, draw);
        Parallel.ForEach(work, item =>
        {
            int own = Hash($"{seed} {item.draw} {item.scenario.Name} {item.path}");
            foreach (CauseRun run in CauseRun.Of(item.scenario, item.path, own & int.MaxValue, keep))
            {
                runs.Add(run);
            }
        });
        return [.. runs];
    }

    /// <summary>The table, and what was wrong.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(IReadOnlyList<CauseRun> runs)
    {
        StringBuilder text = new();
        text.Append("| scenario | at the sender | at the receiver | begun late, at the sender | at the receiver | median points off | instead, of whole captures |\n");
        text.Append("|---|---|---|---|---|---|---|\n");
        foreach (IGrouping<string, CauseRun> group in runs.GroupBy(run => run.Scenario.Name).OrderBy(group => group.First().Scenario.IsHealthy ? 0 : 1))
        {
            text.Append(CultureInfo.InvariantCulture, $"| {(group.First().Scenario.IsHealthy ? "healthy: " : "")}{group.Key} ");
            foreach ((bool isLate, SegmentPoint point) in Kinds)
            {
                text.Append(CultureInfo.InvariantCulture, $"| {Right(group.Where(run => run.IsLate == isLate && run.Point == point))} ");
            }

            IEnumerable<CauseRun> whole = group.Where(run => !run.IsLate);
            text.Append(CultureInfo.InvariantCulture, $"| {MedianOff(whole):0.0} | {Instead(whole)} |\n");
        }

        AppendSummary(text, "Whole captures", [.. runs.Where(run => !run.IsLate)]);
        AppendSummary(text, "Captures begun late", [.. runs.Where(run => run.IsLate)]);
        return text.ToString();
    }

    static void AppendSummary(StringBuilder text, string name, CauseRun[] runs)
    {
        CauseRun[] healthy = [.. runs.Where(run => run.Scenario.IsHealthy)];
        CauseRun[] faulty = [.. runs.Where(run => !run.Scenario.IsHealthy)];
        text.Append(CultureInfo.InvariantCulture, $"\n{name}: healthy runs without a warning {Right(healthy)}; faulty runs with the cause first {Right(faulty)}, ");
        text.Append(CultureInfo.InvariantCulture, $"with another named surely {faulty.Count(run => run.IsWrong)}; ");
        text.Append(CultureInfo.InvariantCulture, $"send buffers blamed for nothing {runs.Count(run => run.IsFalseSendBuffer)} of {runs.Length}.\n");
    }

    /// <summary>What was wrong, a line each: what was found, and the shares of states in truth and by the analysis.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>Lines.</returns>
    public static IEnumerable<string> Wrong(IEnumerable<CauseRun> runs) =>
        from run in runs
        where !run.IsRight || run.IsFalseSendBuffer
        orderby run.Scenario.Name, run.Path
        select string.Create(CultureInfo.InvariantCulture, $"{run.Scenario.Name} {run.Path} {run.Point}{(run.IsLate ? " late" : "")} {run.Sender} {run.File}: {Found(run)}; {Shares(run)}");

    static string Found(CauseRun run) => string.Join(
        ", ", run.Findings.Take(3).Select(finding => string.Create(CultureInfo.InvariantCulture, $"{finding.Id} {finding.Severity} {finding.SecondsLost:0.00} s")));

    static string Shares(CauseRun run) => string.Join(
        ' ',
        from state in States
        let wanted = 100 * run.TrueShare(state.Truth)
        let judged = run.Direction?.Limits is { } limits ? 100 * state.Analysis.Sum(one => (double)limits.Times.In(one)) / Math.Max(limits.Times.Total, 1) : double.NaN
        where wanted >= 1 || judged >= 1
        select string.Create(CultureInfo.InvariantCulture, $"{state.Truth}:{wanted:0}/{judged:0}"));

    static string Right(IEnumerable<CauseRun> runs)
    {
        CauseRun[] all = [.. runs];
        return string.Create(CultureInfo.InvariantCulture, $"{all.Count(run => run.IsRight)} of {all.Length}");
    }

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
