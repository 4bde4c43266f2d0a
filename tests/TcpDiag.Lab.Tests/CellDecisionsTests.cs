using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using Xunit;

namespace TcpDiag.Lab.Tests;

/// <summary>Two cells with two sides, at most five iterations: decided when a cell has two finished ones.</summary>
public sealed class CellDecisionsTests
{
    const int Sides = 2;
    const int MaxIterations = 5;

    static readonly LabMatrix Matrix = MatrixReader.Read("m", "iterations: 5\npath: {rtt: [5ms, 9ms]}\nsides: {a: {}, b: {}}");
    static readonly LabRunDocument Header = new(LabRunDocument.CurrentSchema, Matrix, 1, 1, null, "6.18", false, []);

    readonly IReadOnlyList<PlannedIteration> _plan = PlannedIteration.Plan(Matrix, 1);
    readonly IterationResult?[] _results = new IterationResult?[2 * Sides * MaxIterations];
    readonly List<int> _given = [];

    [Fact]
    public void IsDecided_LooksAtFinishedIterations_InTheirOrder()
    {
        CellDecisions decisions = Decisions(needed: 2);
        Finish(0, 1, 2, 4, 5);

        // Iteration 2 lacks side b: iteration 3 does not count before it.
        Assert.False(decisions.IsDecided(_plan[0].Cell));
        Finish(3);
        Assert.True(decisions.IsDecided(_plan[0].Cell));
        Assert.False(decisions.IsDecided(_plan[10].Cell));
        Assert.Equal([2, 6], _given);
    }

    [Fact]
    public void Summarize_DecidedCells_AreComplete()
    {
        CellDecisions decisions = Decisions(needed: 2);
        Finish(0, 1, 2, 3, 10, 11);
        LabRunDocument half = decisions.Summarize();
        Finish(12, 13, 14, 15);
        LabRunDocument whole = decisions.Summarize();

        Assert.Equal((false, 2), (half.IsComplete, half.Matrix.Iterations));
        Assert.Equal((true, 3, MaxIterations), (whole.IsComplete, whole.Matrix.Iterations, whole.UntilDecided!.MaxIterations));
        Assert.Equal(["001-rtt-5ms", "002-rtt-9ms"], whole.UntilDecided.Decisions.Select(decision => decision.Cell));
    }

    // At the limit there is nothing left to run.
    [Fact]
    public void Summarize_AtTheLimit_IsCompleteAndOpen()
    {
        CellDecisions decisions = Decisions(needed: 6);
        Finish([.. Enumerable.Range(0, _results.Length)]);
        LabRunDocument run = decisions.Summarize();
        Assert.True(run.IsComplete);
        Assert.All(run.UntilDecided!.Decisions, decision => Assert.Equal(DecisionVerdict.Open, decision.Verdict));
    }

    [Fact]
    public void Summarize_WithoutRule_IsTheExperiment()
    {
        Finish(0, 1, 2, 3);
        CellDecisions decisions = new(null, Header, _plan, _results);
        Assert.False(decisions.IsDecided(_plan[0].Cell));
        LabRunDocument run = decisions.Summarize();
        Assert.Equal((false, MaxIterations, null), (run.IsComplete, run.Matrix.Iterations, run.UntilDecided));
    }

    CellDecisions Decisions(int needed) => new(new StoppingRule(0.05, 0.05, (run, cell) => Judge(run, cell, needed)), Header, _plan, _results);

    SideDecision[] Judge(LabRunDocument run, string cell, int needed)
    {
        Assert.All(run.Results, result => Assert.Equal(cell, result.Cell));
        _given.Add(run.Results.Count);
        DecisionVerdict verdict = run.Results.Count >= needed * Sides ? DecisionVerdict.Equal : DecisionVerdict.Open;
        return [new SideDecision(cell, "a", "b", verdict, 1, 0.9, 1.1, run.Results.Count / Sides, 0)];
    }

    void Finish(params int[] runs) => Array.ForEach(runs, index => _results[index] = Result(_plan[index]));

    static IterationResult Result(PlannedIteration plan) => new()
    {
        Cell = plan.Cell.Name,
        Side = plan.Side.Name,
        Iteration = plan.Iteration,
        Seed = plan.Seed,
        Folder = plan.Folder,
        Fault = null,
        Sender = null,
        Receiver = null,
        Analysis = null,
        SenderCapture = null,
        ReceiverCapture = null,
        Link = null,
    };
}
