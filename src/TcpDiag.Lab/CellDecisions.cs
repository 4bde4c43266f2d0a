using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;

namespace TcpDiag.Lab;

/// <summary>
/// Which cells of an experiment are decided and need no more iterations. Iterations are judged in their order, up to the first that is not finished: the test
/// allows a look after every pair, but not a choice of pairs.
/// </summary>
public sealed class CellDecisions
{
    readonly Lock _judging = new();
    readonly StoppingRule? _rule;
    readonly LabRunDocument _header;
    readonly IterationResult?[] _results;
    readonly IReadOnlyList<PlannedIteration> _plan;
    readonly Dictionary<string, int[]> _runs;
    readonly Dictionary<string, (int Iterations, IReadOnlyList<SideDecision> Decisions)> _judged = new(StringComparer.Ordinal);

    /// <summary>Begins to judge.</summary>
    /// <param name="rule">When a cell is decided; null for never.</param>
    /// <param name="header">The experiment, without results.</param>
    /// <param name="plan">Its runs.</param>
    /// <param name="results">Their results, which are filled in as they come.</param>
    public CellDecisions(StoppingRule? rule, LabRunDocument header, IReadOnlyList<PlannedIteration> plan, IterationResult?[] results)
    {
        (_rule, _header, _plan, _results) = (rule, header, plan, results);
        _runs = Enumerable.Range(0, plan.Count)
            .GroupBy(index => plan[index].Cell.Name, StringComparer.Ordinal)
            .ToDictionary(cell => cell.Key, cell => cell.ToArray(), StringComparer.Ordinal);
    }

    /// <summary>Whether no more iterations of a cell are needed.</summary>
    /// <param name="cell">The cell.</param>
    /// <returns>False without a rule.</returns>
    public bool IsDecided(LabCell cell) => _rule is not null && IsDecided(cell.Name);

    /// <summary>The experiment as it stands. With a rule it has as many iterations as the cell with the most.</summary>
    /// <returns>The header with the results, and how each cell stands.</returns>
    public LabRunDocument Summarize()
    {
        IterationResult[] results = [.. _results.OfType<IterationResult>()];
        LabRunDocument run = _header with { Results = results, IsComplete = results.Length == _plan.Count };
        return _rule is null ? run : run with
        {
            Matrix = _header.Matrix with { Iterations = results.Select(result => result.Iteration).DefaultIfEmpty(1).Max() },
            IsComplete = _runs.All(cell => IsDecided(cell.Key) || cell.Value.All(index => _results[index] is not null)),
            UntilDecided = new DecisionSummary(_rule.Error, _rule.Margin, _header.Matrix.Iterations, [.. _runs.Keys.SelectMany(Judge)]),
        };
    }

    bool IsDecided(string cell) => Judge(cell) is { Count: > 0 } decisions && decisions.All(decision => decision.Verdict != DecisionVerdict.Open);

    IReadOnlyList<SideDecision> Judge(string cell)
    {
        lock (_judging)
        {
            IterationResult[] finished = Finished(_runs[cell]);
            int iterations = finished.Length / _header.Matrix.Sides.Count;
            if (!_judged.TryGetValue(cell, out (int Iterations, IReadOnlyList<SideDecision> Decisions) known) || known.Iterations != iterations)
            {
                known = (iterations, iterations == 0 ? [] : _rule!.Judge(_header with { Results = finished }, cell));
                _judged[cell] = known;
            }

            return known.Decisions;
        }
    }

    // All sides of an iteration stand together in the plan.
    IterationResult[] Finished(int[] runs) =>
    [
        .. runs.Chunk(_header.Matrix.Sides.Count)
            .Select(iteration => iteration.Select(index => _results[index]).ToArray())
            .TakeWhile(sides => !sides.Contains(null))
            .SelectMany(sides => sides.OfType<IterationResult>()),
    ];
}
