using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace TcpDiag.Truth.Causes;

/// <summary>The time lost that findings tell, beside what the same transfer took without its cause.</summary>
static class CauseTimes
{
    const double Factor = 1.5; // within which a time is right

    /// <summary>The table: by cause, of captures in which the cause was named and cost enough to be a warning.</summary>
    /// <param name="runs">Captures.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(IEnumerable<CauseRun> runs)
    {
        CauseRun[] counted = [.. runs.Where(IsCounted)];
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture,
            $"{counted.Count(IsRight)} of {counted.Length} ({100.0 * counted.Count(IsRight) / Math.Max(counted.Length, 1):0.#} %) are within a factor of "
                + $"1.5.\n\n");
        text.Append("| cause | captures | lost, median s | told / lost: first quartile | median | third | within 1.5 |\n|---|---|---|---|---|---|---|\n");
        foreach (IGrouping<string, CauseRun> cause in counted.GroupBy(run => run.Scenario.Cause).OrderBy(cause => cause.Key, StringComparer.Ordinal))
        {
            double[] ratios = [.. cause.Select(Ratio).Order()];
            double[] lost = [.. cause.Select(run => run.SecondsLost).Order()];
            text.Append(CultureInfo.InvariantCulture, $"| `{cause.Key}` | {ratios.Length} | {lost[lost.Length / 2]:0.00} | {ratios[ratios.Length / 4]:0.00} ");
            text.Append(CultureInfo.InvariantCulture,
                $"| {ratios[ratios.Length / 2]:0.00} | {ratios[ratios.Length * 3 / 4]:0.00} | {cause.Count(IsRight)}/{ratios.Length} |\n");
        }

        return text.ToString();
    }

    /// <summary>Where it is wrong, a line each.</summary>
    /// <param name="runs">Captures.</param>
    /// <returns>Lines.</returns>
    public static IEnumerable<string> Wrong(IEnumerable<CauseRun> runs) =>
        from run in runs
        where IsCounted(run) && !IsRight(run)
        orderby run.Scenario.Name, run.Path, run.View.ToString()
        select string.Create(
            CultureInfo.InvariantCulture,
            $"time: {run.Scenario.Name} {run.Path} {run.View} {run.Draw} {run.Sender}: told {run.FoundSecondsLost:0.00} s, lost {run.SecondsLost:0.00} of "
                + $"{run.Nanos / 1e9:0.00} s");

    static bool IsCounted(CauseRun run) =>
        run.View.Kind == CaptureKind.Whole && run is { Scenario.IsHealthy: false, IsVisible: true, IsFelt: true, IsNamed: true };

    static double Ratio(CauseRun run) => run.FoundSecondsLost / run.SecondsLost;

    static bool IsRight(CauseRun run) => Ratio(run) is >= 1 / Factor and <= Factor;
}
