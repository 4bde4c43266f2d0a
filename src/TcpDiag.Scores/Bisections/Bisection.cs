using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;

namespace TcpDiag.Scores.Bisections;

/// <summary>
/// Where a search stands, worked out from its journal. The chance to end wrongly is shared out among the steps as they come: each takes an equal part of what
/// is left for it and those still to come, so that all of them together never take more than there is.
/// </summary>
public sealed class Bisection
{
    readonly BisectJournal _journal;
    readonly HashSet<int> _skipped = [];
    readonly List<BisectOutcome> _outcomes = [];
    double _errorLeft;
    BisectTest? _ends;

    Bisection(BisectJournal journal)
    {
        _journal = journal;
        _errorLeft = journal.Error;
        Bad = journal.Items.Count - 1;
        IsMeasured = journal.Command.Count > 0;
    }

    /// <summary>The last item known to be good.</summary>
    public int Good { get; private set; }

    /// <summary>The first item known to be bad.</summary>
    public int Bad { get; private set; }

    /// <summary>Whether a command measures.</summary>
    public bool IsMeasured { get; }

    /// <summary>The item under test; null when the search is over.</summary>
    public string? Current { get; private set; }

    /// <summary>The steps so far.</summary>
    public IReadOnlyList<BisectOutcome> Outcomes => _outcomes;

    /// <summary>By how much the ends differ; null while it is not known, and where nothing is measured.</summary>
    public BisectTest? Ends => _ends;

    /// <summary>How it stands.</summary>
    public BisectStatus Status { get; private set; }

    /// <summary>Steps that are left at most, unless some are skipped.</summary>
    public int StepsLeft => Status is not (BisectStatus.Open or BisectStatus.Undecided) ? 0 : Halvings(Bad - Good) + (IsMeasured && _ends is null ? 1 : 0);

    /// <summary>The chance to be wrong that the step under way may take.</summary>
    public double StepError => _errorLeft / (StepsLeft + (_outcomes.Exists(outcome => outcome.IsExtra) ? 1 : 0));

    /// <summary>Works out where a search stands.</summary>
    /// <param name="journal">Its journal.</param>
    /// <returns>The search.</returns>
    /// <exception cref="BisectException">The journal contradicts itself.</exception>
    public static Bisection Of(BisectJournal journal)
    {
        Bisection search = new(journal);
        for (int i = 0; i < journal.Steps.Count; i++)
        {
            search.Take(journal.Steps[i], isLast: i == journal.Steps.Count - 1);
        }

        search.Choose();
        return search;
    }

    /// <summary>The run that comes next: runs of a pair have one seed, and the good end is first in every other pair, so that drift hits both alike.</summary>
    /// <returns>Its item and seed.</returns>
    /// <exception cref="InvalidOperationException">The search is over.</exception>
    public (string Item, long Seed) NextRun()
    {
        string candidate = Current ?? throw new InvalidOperationException("The search is over.");
        string good = _journal.Items[0];
        BisectStep? open = _journal.Steps is [.., { Given: null } last] && string.Equals(last.Item, candidate, StringComparison.Ordinal) ? last : null;
        IReadOnlyList<BisectRun> runs = open?.Runs ?? [];
        if (runs is [.., { Fault: null } half] && runs.Count(run => run.Seed == half.Seed) == 1)
        {
            return (string.Equals(half.Item, good, StringComparison.Ordinal) ? candidate : good, half.Seed);
        }

        int pairs = runs.DistinctBy(run => run.Seed).Count();
        long next = _journal.Steps.SelectMany(step => step.Runs).LastOrDefault() is { } before ? before.Seed + 1 : _journal.Seed;
        return (int.IsEvenInteger(pairs) ? good : candidate, next);
    }

    /// <summary>Why a verdict cannot be given by hand.</summary>
    /// <param name="item">Of which item.</param>
    /// <param name="verdict">The verdict.</param>
    /// <returns>A sentence; null when it can.</returns>
    public string? FindObjection(string item, BisectVerdict verdict)
    {
        int index = IndexOf(item);
        return index < 0 ? $"'{item}' is none of the items: {_journal.Items[0]} … {_journal.Items[^1]}."
            : Status is not (BisectStatus.Open or BisectStatus.Undecided) ? "The search is over; tcpdiag bisect reset ends it."
            : IsMeasured && _ends is null ? $"First it is measured by how much {_journal.Items[^1]} differs from {_journal.Items[0]}: tcpdiag bisect next."
            : index > Good && index < Bad ? null
            : verdict == Known(index) ? $"{item} is known to be {Word(index)} already."
            : $"{item} is known to be {Word(index)}: only items between {_journal.Items[Good]} and {_journal.Items[Bad]} are open.";
    }

    /// <summary>How many halvings find one of so many items.</summary>
    /// <param name="items">At least 1.</param>
    /// <returns>The logarithm to base 2, rounded up.</returns>
    public static int Halvings(int items) => BitOperations.Log2((uint)items) + (BitOperations.IsPow2(items) ? 0 : 1);

    BisectVerdict Known(int index) => index <= Good ? BisectVerdict.Good : BisectVerdict.Bad;

    string Word(int index) => index <= Good ? "good" : "bad";

    void Take(BisectStep step, bool isLast)
    {
        int index = IndexOf(step.Item);
        bool isOfEnds = IsMeasured && _ends is null && index == _journal.Items.Count - 1;
        bool isOpen = isOfEnds ? step.Given is null : index > Good && index < Bad && (!IsMeasured || _ends is not null);
        if (Status != BisectStatus.Open || !isOpen)
        {
            throw new BisectException($"its steps contradict each other: step {_outcomes.Count + 1} tests {step.Item}, which is not open then");
        }

        BisectTest? test = step.Runs.Count == 0 ? null : new BisectTest(step, _journal.Items[0], StepError, _journal.Margin, _ends);
        _errorLeft -= test?.Error ?? 0;
        BisectVerdict? verdict = step.Given ?? test?.Verdict(isLast: !isLast || test.Pairs >= _journal.MaxPairs);
        _outcomes.Add(new BisectOutcome(step.Item, verdict, step.Given is not null, test, _ends is null && isOfEnds));
        if (isOfEnds)
        {
            TakeEnds(test, verdict, isLast);
        }
        else
        {
            Move(index, verdict);
        }

        // Only the last step may be open; it goes on, and its part of the error with it.
        if (verdict is null && isLast)
        {
            _errorLeft += test?.Error ?? 0;
            bool isWorn = test?.Pairs >= _journal.MaxPairs;
            (Status, Current) = (isWorn ? BisectStatus.Undecided : BisectStatus.Open, step.Item);
            _outcomes[^1] = _outcomes[^1] with { IsUnderWay = true };
        }
    }

    void TakeEnds(BisectTest? test, BisectVerdict? verdict, bool isLast)
    {
        if (verdict == BisectVerdict.Good)
        {
            Status = BisectStatus.NoDifference;
        }
        else if (verdict == BisectVerdict.Bad)
        {
            _ends = test;
        }
        else if (!isLast)
        {
            throw new BisectException("its steps contradict each other: items are tested before the ends are known to differ");
        }
    }

    void Move(int index, BisectVerdict? verdict)
    {
        switch (verdict)
        {
            case BisectVerdict.Good:
                Good = index;
                break;
            case BisectVerdict.Bad:
                Bad = index;
                break;
            case BisectVerdict.Skip:
                _skipped.Add(index);
                break;
            default:
                break;
        }
    }

    // The middle; where it cannot be tested, what is nearest to it.
    void Choose()
    {
        if (Status != BisectStatus.Open || Current is not null)
        {
            return;
        }

        if (IsMeasured && _ends is null)
        {
            Current = _journal.Items[^1];
            return;
        }

        int middle = Good + ((Bad - Good) / 2);
        int[] open = [.. Enumerable.Range(Good + 1, Bad - Good - 1).Where(index => !_skipped.Contains(index))];
        if (open.Length == 0)
        {
            Status = BisectStatus.Found;
            return;
        }

        Current = _journal.Items[open.MinBy(index => Math.Abs(index - middle))];
    }

    int IndexOf(string item)
    {
        for (int i = 0; i < _journal.Items.Count; i++)
        {
            if (string.Equals(_journal.Items[i], item, StringComparison.Ordinal))
            {
                return i;
            }
        }

        return -1;
    }
}

/// <summary>What came of a step.</summary>
/// <param name="Item">The item tested.</param>
/// <param name="Verdict">The verdict; null while there is none.</param>
/// <param name="IsGiven">Whether it was given rather than measured.</param>
/// <param name="Test">Its runs; null without any.</param>
/// <param name="IsOfEnds">Whether it measured by how much the ends differ.</param>
public sealed record BisectOutcome(string Item, BisectVerdict? Verdict, bool IsGiven, BisectTest? Test, bool IsOfEnds)
{
    /// <summary>Whether it goes on.</summary>
    public bool IsUnderWay { get; init; }

    /// <summary>Whether a plan of halvings did not foresee it.</summary>
    internal bool IsExtra => !IsUnderWay && (IsGiven || Verdict is null);
}

/// <summary>How a search stands.</summary>
public enum BisectStatus
{
    /// <summary>It goes on.</summary>
    Open,

    /// <summary>The step under way has had as many pairs as it may have.</summary>
    Undecided,

    /// <summary>The two ends do not differ: there is nothing to search.</summary>
    NoDifference,

    /// <summary>It is over: the first bad item is the one known to be bad, or one of those in front of it that could not be tested.</summary>
    Found,
}

/// <summary>A search that cannot go on: which file, what was expected, what was found, and what to do.</summary>
/// <param name="message">One line.</param>
public sealed class BisectException(string message) : Exception(message);
