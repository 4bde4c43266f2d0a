using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Truth.Scores;

/// <summary>
/// Real runs of the lab cut into many small experiments, each compared for itself: how often two sides that are the same seem to differ, and how often a change
/// of a setting is found. No run is in two experiments of a kind, so that each is one of its own.
/// </summary>
static class ComparisonTruth
{
    /// <summary>Compares.</summary>
    /// <param name="folders">Result directories of one matrix, with different seeds.</param>
    /// <param name="runs">Runs of each side in an experiment.</param>
    /// <param name="before">The side that is A.</param>
    /// <param name="after">The side that is B.</param>
    /// <returns>A row for each cell, and one for all.</returns>
    public static string ToMarkdown(IReadOnlyList<string> folders, int runs, string before, string after)
    {
        RunFilter filter = new([before, after], []);
        RunSetPair[] pairs = [.. folders.Select(folder => RunSetPair.Read(folder, filter))];
        StringBuilder text = new("| cell | experiments of pairs | with a verdict | goodput improved | regressed | without pairs | with a verdict | goodput improved | regressed | B/A, middle |\n");
        text.Append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        Outcome[] all = [.. pairs.SelectMany(pair => Cells(pair, runs))];
        foreach (IGrouping<string, Outcome> cell in all.GroupBy(outcome => outcome.Cell).Append(all.GroupBy(_ => "all").First()))
        {
            Append(text, cell.Key, [.. cell]);
        }

        return text.ToString();
    }

    // In pairs each run is in one experiment. Without, A of one is beside B of the next, as if their seeds were not shared: there each is in one as well.
    static IEnumerable<Outcome> Cells(RunSetPair pair, int runs)
    {
        foreach (RunCell a in pair.A.Cells)
        {
            RunCell b = pair.B.Cells.First(cell => string.Equals(cell.Name, a.Name, System.StringComparison.Ordinal));
            (Run A, Run B)[] both = [.. from one in a.Runs from other in b.Runs where one.IsPairOf(other) select (one, other)];
            (Run A, Run B)[][] blocks = [.. both.Chunk(runs).Where(block => block.Length == runs)];
            for (int i = 0; i < blocks.Length; i++)
            {
                RunCell before = a with { Runs = [.. blocks[i].Select(run => run.A)] };
                yield return Compare(pair, before, b with { Runs = [.. blocks[i].Select(run => run.B)] }, isPaired: true);
                if (i % 2 == 0 && i + 1 < blocks.Length)
                {
                    yield return Compare(pair, before, b with { Runs = [.. blocks[i + 1].Select(run => run.B)] }, isPaired: false);
                }
            }
        }
    }

    static Outcome Compare(RunSetPair pair, RunCell a, RunCell b, bool isPaired)
    {
        Comparison comparison = RunSetComparer.Compare(new(pair.A with { Cells = [a] }, pair.B with { Cells = [b] }), new ComparisonSettings());
        IEnumerable<Verdict> verdicts = comparison.Metrics.SelectMany(
            metric => metric.Cells.Select(cell => cell.Judgement.Verdict).Concat(metric.Overall is { } overall ? [overall.Verdict] : []));
        Judgement goodput = comparison.Primary.Cells[0].Judgement;
        return new(a.Name, isPaired, verdicts.Any(verdict => verdict is not (Verdict.Equal or Verdict.NotEnoughEvidence)), goodput.Verdict, goodput.Ratio);
    }

    static void Append(StringBuilder text, string name, Outcome[] outcomes)
    {
        Outcome[] paired = [.. outcomes.Where(outcome => outcome.IsPaired)];
        Outcome[] unpaired = [.. outcomes.Where(outcome => !outcome.IsPaired)];
        double[] ratios = [.. paired.Select(outcome => outcome.Ratio).Order()];
        text.Append(CultureInfo.InvariantCulture, $"| {name} | {Counts(paired)} | {Counts(unpaired)} | {(ratios.Length > 0 ? ratios[ratios.Length / 2] : double.NaN):0.000} |\n");
    }

    static string Counts(Outcome[] outcomes) => string.Create(
        CultureInfo.InvariantCulture,
        $"{outcomes.Length} | {outcomes.Count(outcome => outcome.HasVerdict)} | {outcomes.Count(outcome => outcome.Goodput == Verdict.Improved)} | {outcomes.Count(outcome => outcome.Goodput == Verdict.Regressed)}");

    /// <summary>What one experiment said.</summary>
    /// <param name="Cell">Its cell.</param>
    /// <param name="IsPaired">Whether its runs were compared in pairs.</param>
    /// <param name="HasVerdict">Whether any metric had a verdict but equal and not enough evidence.</param>
    /// <param name="Goodput">What it says of goodput.</param>
    /// <param name="Ratio">Goodput of B over that of A.</param>
    readonly record struct Outcome(string Cell, bool IsPaired, bool HasVerdict, Verdict Goodput, double Ratio);
}
