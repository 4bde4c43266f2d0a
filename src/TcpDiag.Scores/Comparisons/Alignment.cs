using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// Finds what two sets have in common: cells of the same conditions, whatever their names and the order of their conditions.
/// </summary>
sealed class Alignment
{
    /// <summary>Names and values are the same whatever their case.</summary>
    public static readonly StringComparer Conditions = StringComparer.OrdinalIgnoreCase;

    readonly List<AlignedCell> _cells = [];
    readonly List<LeftOutCell> _leftOut = [];

    public Alignment(RunSetPair sets)
    {
        Dictionary<string, RunCell> a = ByConditions(sets.A);
        Dictionary<string, RunCell> b = ByConditions(sets.B);
        foreach ((string key, RunCell cell) in a)
        {
            if (!b.TryGetValue(key, out RunCell? other))
            {
                _leftOut.Add(new LeftOutCell(IsOfA: true, cell, Missing("B", cell, sets.B)));
            }
            else if (NothingCounts(cell, other) is { } reason)
            {
                _leftOut.Add(new LeftOutCell(IsOfA: true, cell, reason));
                _leftOut.Add(new LeftOutCell(IsOfA: false, other, reason));
            }
            else
            {
                _cells.Add(new AlignedCell(cell, other));
            }
        }

        IEnumerable<RunCell> onlyInB = b.Where(cell => !a.ContainsKey(cell.Key)).Select(cell => cell.Value);
        _leftOut.AddRange(onlyInB.Select(cell => new LeftOutCell(IsOfA: false, cell, Missing("A", cell, sets.A))));
    }

    /// <summary>Cells with the same conditions and runs that count on both sides, in the order of A.</summary>
    public IReadOnlyList<AlignedCell> Cells => _cells;

    /// <summary>The other cells, with the reason.</summary>
    public IReadOnlyList<LeftOutCell> LeftOut => _leftOut;

    /// <summary>What cells of the same conditions have in common, whatever the order of these.</summary>
    public static string KeyOf(RunCell cell) => string.Join('\n', cell.Conditions.Select(Text).Order(Conditions));

    /// <summary>The cells of a set; those of the same conditions, as of a matrix that names a value twice, are one.</summary>
    public static Dictionary<string, RunCell> ByConditions(RunSet set)
    {
        Dictionary<string, RunCell> cells = new(Conditions);
        foreach (RunCell cell in set.Cells)
        {
            string key = KeyOf(cell);
            cells[key] = cells.TryGetValue(key, out RunCell? same)
                ? same with { Runs = [.. same.Runs, .. cell.Runs], VoidRuns = same.VoidRuns + cell.VoidRuns }
                : cell;
        }

        return cells;
    }

    // What was not run yet may still be part of the experiment.
    static string Missing(string name, RunCell cell, RunSet other)
    {
        if (other is { IsComplete: false, IsRecorded: false })
        {
            return $"{name} was interrupted, and has no finished run under these conditions";
        }

        HashSet<string> known = new(other.Cells.SelectMany(candidate => candidate.Conditions).Select(Text), StringComparer.OrdinalIgnoreCase);
        string[] unknown = [.. cell.Conditions.Select(Text).Where(text => !known.Contains(text))];
        return unknown.Length > 0 ? $"{name} has no {string.Join(" and no ", unknown)}" : $"{name} has no cell with all of these conditions and no other";
    }

    static string? NothingCounts(RunCell a, RunCell b) => (a.Runs.Count, b.Runs.Count) switch
    {
        (0, 0) => "no run of either side counts",
        (0, _) => "no run of A counts",
        (_, 0) => "no run of B counts",
        _ => null,
    };

    static string Text(Setting setting) => $"{setting.Name} {setting.Value}";
}

/// <summary>The runs of both sides under the same conditions.</summary>
sealed class AlignedCell
{
    /// <summary>Pairs the runs of two cells: those of the same seed and iteration.</summary>
    /// <param name="a">Runs of A.</param>
    /// <param name="b">Runs of B.</param>
    public AlignedCell(RunCell a, RunCell b)
    {
        A = a;
        B = b;
        ILookup<ulong?, Run> bySeed = b.Runs.ToLookup(run => run.Seed);
        HashSet<Run> taken = new(ReferenceEqualityComparer.Instance);
        foreach (Run run in a.Runs)
        {
            if (bySeed[run.Seed].FirstOrDefault(other => run.IsPairOf(other) && !taken.Contains(other)) is { } partner)
            {
                taken.Add(partner);
                Pairs.Add(new RunPair(run, partner));
            }
        }
    }

    /// <summary>Runs of A.</summary>
    public RunCell A { get; }

    /// <summary>Runs of B.</summary>
    public RunCell B { get; }

    /// <summary>The pairs, in the order of A; empty where the two share no seed.</summary>
    public List<RunPair> Pairs { get; } = [];
}
