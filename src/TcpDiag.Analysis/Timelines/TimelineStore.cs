using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Timelines by number; those with the least weight are dropped when there is no room for all.</summary>
/// <typeparam name="T">The timeline.</typeparam>
/// <param name="budget">What all timelines may hold together.</param>
sealed class TimelineStore<T>(TimelineBudget budget)
    where T : Timeline
{
    readonly List<T?> _byNumber = [];
    readonly List<int> _kept = [];

    /// <summary>Numbers in use, those of dropped timelines included.</summary>
    public int Count => _byNumber.Count;

    public int Kept => _kept.Count;

    /// <summary>A timeline; null when it was dropped or never started.</summary>
    public T? this[int number] => number < _byNumber.Count ? _byNumber[number] : null;

    /// <summary>The timelines kept and their numbers, in no particular order.</summary>
    public IEnumerable<(int Number, T Timeline)> All()
    {
        foreach (int number in _kept)
        {
            yield return (number, _byNumber[number]!);
        }
    }

    /// <summary>Adds a timeline; its number must be higher than any before.</summary>
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

    /// <summary>Drops all but the timelines with the most weight.</summary>
    public void KeepHeaviest(int keep)
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

    public void Reduce(int maximum)
    {
        foreach (int number in _kept)
        {
            _byNumber[number]!.Reduce(maximum);
        }
    }
}

/// <summary>Which connections get charts, and at what resolution.</summary>
static class TimelineChoice
{
    /// <summary>The chosen timelines, connections of <paramref name="wanted"/> first; made coarser where together they hold too much.</summary>
    public static Dictionary<Connection, ConnectionTimeline> Of(
        Dictionary<Connection, ConnectionTimeline> all, IReadOnlyCollection<Connection> wanted, TimelineOptions options)
    {
        var first = wanted.ToHashSet();
        Dictionary<Connection, ConnectionTimeline> chosen = all
            .OrderByDescending(entry => first.Contains(entry.Key))
            .ThenByDescending(entry => entry.Value.Weight)
            .ThenBy(entry => entry.Key.Index)
            .Take(options.Connections)
            .ToDictionary();
        Reduce(chosen.Values, options);
        return chosen;
    }

    static void Reduce(IReadOnlyCollection<ConnectionTimeline> chosen, TimelineOptions options)
    {
        int max = options.ItemsPerSeries;
        foreach (ConnectionTimeline timeline in chosen)
        {
            timeline.Reduce(max); // from here on its capacity is its number of items
        }

        while (chosen.Sum(timeline => timeline.Length) > options.ItemsKept && max > TimelineOptions.MinItemsPerSeries)
        {
            max = int.Max(max / 2, TimelineOptions.MinItemsPerSeries);
            foreach (ConnectionTimeline timeline in chosen)
            {
                timeline.Reduce(max);
            }
        }
    }
}
