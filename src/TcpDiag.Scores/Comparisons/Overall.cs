using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// One metric over all cells with enough runs, each counting alike. Where some are paired, those alone: without pairs a cell says far less. Runs of one seed
/// stand or fall together, in whatever cells they are, so that a side compared under two names does not count twice.
/// </summary>
sealed class Overall
{
    readonly CellMeasurement[] _cells;

    Overall(CellMeasurement[] cells, bool isPaired)
    {
        _cells = cells;
        IsPaired = isPaired;
        Groups = GroupBySeeds(cells);
        LogRatio = RankIntervals.OfMean([.. Groups.Select(group => (IReadOnlyList<(Estimate, int)>)[.. group.Select(cell => (cell.LogRatio, cell.Freedom))])]);
        if (isPaired)
        {
            long[] units = Units(cells);
            PValue = SignFlips.PValue(units);
            MinPValue = SignFlips.MinPValue(units.Length);
            HigherShare = cells.Sum(cell => cell.HigherShare * cell.Pairs.Count) / cells.Sum(cell => cell.Pairs.Count);
        }
        else
        {
            MannWhitney test = cells.Skip(1).Aggregate(cells[0].Test!, (sum, cell) => sum.Plus(cell.Test!));
            PValue = test.PValue();
            MinPValue = cells.Aggregate(2.0, (least, cell) => least * cell.MinPValue / 2);
            HigherShare = test.U / test.Pairs;
        }
    }

    /// <summary>Whether it rests on pairs.</summary>
    public bool IsPaired { get; }

    /// <summary>How many cells there are.</summary>
    public int Cells => _cells.Length;

    /// <summary>The only cell; null where there are several.</summary>
    public CellMeasurement? Only => _cells.Length == 1 ? _cells[0] : null;

    /// <summary>Logarithm of B / A: the mean over cells, with its interval.</summary>
    public Estimate LogRatio { get; }

    /// <summary>Of the test, stratified by cell.</summary>
    public double PValue { get; }

    /// <summary>The smallest that so many runs can give.</summary>
    public double MinPValue { get; }

    /// <summary>Share of pairs in which B is higher.</summary>
    public double HigherShare { get; }

    /// <summary>Whether strata that count as independent are not: without pairs nothing mends that.</summary>
    public bool IsEntangled => !IsPaired && Groups.Count < Cells;

    List<List<CellMeasurement>> Groups { get; }

    /// <summary>Takes the cells together.</summary>
    /// <param name="cells">All cells.</param>
    /// <returns>The whole; null where no cell has enough runs.</returns>
    public static Overall? Of(IEnumerable<CellMeasurement> cells)
    {
        CellMeasurement[] tested = [.. cells.Where(cell => cell.IsTested)];
        CellMeasurement[] paired = [.. tested.Where(cell => cell.IsPaired)];
        return paired.Length > 0 ? new Overall(paired, isPaired: true) : tested.Length > 0 ? new Overall(tested, isPaired: false) : null;
    }

    // What can only be exchanged together: all pairs of one seed.
    static long[] Units(CellMeasurement[] cells) =>
    [
        .. cells.SelectMany(cell => cell.Pairs.Zip(cell.SignedRanks, (pair, rank) => (pair.A.Seed, Rank: rank)))
            .GroupBy(pair => pair.Seed, pair => pair.Rank)
            .Select(seed => seed.Sum()),
    ];

    static List<List<CellMeasurement>> GroupBySeeds(CellMeasurement[] cells)
    {
        List<(HashSet<ulong> Seeds, List<CellMeasurement> Cells)> groups = [];
        foreach (CellMeasurement cell in cells)
        {
            HashSet<ulong> seeds = [.. cell.Cell.A.Runs.Concat(cell.Cell.B.Runs).Select(run => run.Seed).OfType<ulong>()];
            List<CellMeasurement> together = [cell];
            foreach ((HashSet<ulong> Seeds, List<CellMeasurement> Cells) group in groups.Where(group => group.Seeds.Overlaps(seeds)).ToArray())
            {
                seeds.UnionWith(group.Seeds);
                together.InsertRange(0, group.Cells);
                groups.Remove(group);
            }

            groups.Add((seeds, together));
        }

        return [.. groups.Select(group => group.Cells)];
    }
}
