using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Fleets;

/// <summary>The report of a fleet as text.</summary>
public static class FleetText
{
    const int ShownFindings = 12;

    /// <summary>Writes the report.</summary>
    /// <param name="output">Takes the text.</param>
    /// <param name="report">The report.</param>
    public static void Write(TextWriter output, FleetReport report)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(report);
        if (report.Week is null)
        {
            output.WriteLine("No recording of a known machine and time.");
            WriteUnknown(output, report);
            return;
        }

        string machines = Quantity.Count(report.Machines, "machine");
        output.WriteLine($"Week of {report.Week}, looked at since {report.Since}: {machines}, {Quantity.Count(report.Transfers, "transfer")} of 100 kB or "
            + "more");
        WriteUnknown(output, report);
        WriteChanges(output, report);
        WriteFindings(output, report);
        WriteAttention(output, report);
    }

    /// <summary>What a change is about, in words.</summary>
    public static string SubjectOf(FleetChange change)
    {
        ArgumentNullException.ThrowIfNull(change);
        string metric = change.Metric == FleetMetric.Goodput ? "goodput" : "time lost";
        string baseline = change.Baseline == FleetBaseline.WeekBefore ? "the week before"
            : change.Path is null ? "the others"
            : "its machines' other paths";
        return $"{SafeText.OneLine(change.Group)}: {metric} beside {baseline}{(change.Path is { } path ? $", {path}" : string.Empty)}";
    }

    static void WriteUnknown(TextWriter output, FleetReport report)
    {
        if (report.Unknown > 0)
        {
            output.WriteLine($"{Quantity.Count(report.Unknown, "recording")} left out: of which machine or when is not known (store add --machine NAME says "
                + "it).");
        }
    }

    static void WriteChanges(TextWriter output, FleetReport report)
    {
        FleetChange[] different = [.. report.Changes.Where(change => change.Judgement.Verdict is Verdict.Improved or Verdict.Regressed)];
        output.WriteLine();
        output.WriteLine(different.Length == 0 ? $"By {report.By}: nothing that is sure to differ"
            : $"By {report.By}: what differs, one error budget for all questions");
        foreach (FleetChange change in different)
        {
            output.WriteLine($"  {WordOf(change)}  {RatioOf(change)}  {SubjectOf(change)} ({Quantity.Count(change.Machines, "machine")})");
        }

        int equal = report.Changes.Count(change => change.Judgement.Verdict == Verdict.Equal);
        IGrouping<string, FleetChange>[] open = [.. report.Changes.Where(change => change.Judgement.Verdict == Verdict.NotEnoughEvidence)
            .GroupBy(change => change.Judgement.Reason ?? string.Empty, StringComparer.Ordinal).OrderByDescending(reason => reason.Count())];
        output.WriteLine($"  {Quantity.Count(report.Changes.Count, "question")}; equal within 5 %: {equal.ToString(CultureInfo.InvariantCulture)}");
        foreach (IGrouping<string, FleetChange> reason in open)
        {
            output.WriteLine($"  not enough to tell, {reason.Count()} of them: {reason.Key}");
        }
    }

    static void WriteFindings(TextWriter output, FleetReport report)
    {
        output.WriteLine();
        output.WriteLine("Findings of the week, time lost by all machines first");
        foreach (FleetFinding finding in report.Findings.Take(ShownFindings))
        {
            string before = finding.IsNew ? "new this week" : finding.LostBeforeNanos is { } lost ? $"{Quantity.Duration(lost)} the week before"
                : "none the week before";
            string share = finding.Prevalence.ToString("0 %", CultureInfo.InvariantCulture);
            output.WriteLine($"  {Quantity.Duration(finding.LostNanos),8}  {share,5} of machines ({finding.Machines})  {finding.Id}, {before}");
        }
    }

    static void WriteAttention(TextWriter output, FleetReport report)
    {
        output.WriteLine();
        output.WriteLine("Machines that need attention first");
        foreach (FleetMachine machine in report.Attention)
        {
            output.WriteLine($"  {Quantity.Duration(machine.LostNanos),8}  {SafeText.OneLine(machine.Machine)}  {machine.Worst}");
        }
    }

    static string WordOf(FleetChange change) => change.Judgement.Verdict == Verdict.Improved ? "better" : "worse ";

    static string RatioOf(FleetChange change)
    {
        Judgement judgement = change.Judgement;
        return FormattableString.Invariant($"× {judgement.Ratio:0.000} ({judgement.Interval.Low:0.000} to {judgement.Interval.High:0.000})");
    }
}
