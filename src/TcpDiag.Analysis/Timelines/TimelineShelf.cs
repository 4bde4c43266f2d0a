using System.Collections.Generic;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Timelines by number; those that deserve charts least are given up when there is no room for all.</summary>
/// <typeparam name="T">The timeline.</typeparam>
/// <param name="budget">What all may hold.</param>
sealed class TimelineShelf<T>(TimelineBudget budget)
    where T : Timeline
{
    readonly List<T?> _byNumber = [];
    readonly List<int> _kept = [];

    /// <summary>Numbers given out.</summary>
    public int Count => _byNumber.Count;

    /// <summary>Timelines kept.</summary>
    public int Kept => _kept.Count;

    /// <summary>A timeline; null when it was given up or never begun.</summary>
    /// <param name="number">Its number.</param>
    public T? this[int number] => number < _byNumber.Count ? _byNumber[number] : null;

    /// <summary>The timelines kept.</summary>
    /// <returns>In no particular order.</returns>
    public IEnumerable<T> All()
    {
        foreach (int number in _kept)
        {
            yield return _byNumber[number]!;
        }
    }

    /// <summary>Puts a timeline on the shelf.</summary>
    /// <param name="number">Its number; none was given this or a higher one.</param>
    /// <param name="timeline">The timeline.</param>
    public void Add(int number, T timeline)
    {
        while (_byNumber.Count < number)
        {
            _byNumber.Add(null);
        }

        _byNumber.Add(timeline);
        _kept.Add(number);
        budget.Held += Timeline.OwnItems;
    }

    /// <summary>Gives up those with the least weight.</summary>
    /// <param name="keep">How many to keep.</param>
    public void KeepMost(int keep)
    {
        if (_kept.Count <= keep)
        {
            return;
        }

        _kept.Sort((left, right) => _byNumber[right]!.Weight.CompareTo(_byNumber[left]!.Weight));
        for (int i = keep; i < _kept.Count; i++)
        {
            budget.Held -= _byNumber[_kept[i]]!.Length + Timeline.OwnItems;
            _byNumber[_kept[i]] = null;
        }

        _kept.RemoveRange(keep, _kept.Count - keep);
    }

    /// <summary>Merges each series until it has no more items than allowed.</summary>
    /// <param name="maximum">Most items of a series.</param>
    public void Reduce(int maximum)
    {
        foreach (int number in _kept)
        {
            _byNumber[number]!.Reduce(maximum);
        }
    }
}
