using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Which connections get charts in the end, and how fine these are.</summary>
static class TimelineChoice
{
    /// <summary>Chooses.</summary>
    /// <param name="all">What was recorded.</param>
    /// <param name="wanted">Connections that come first.</param>
    /// <param name="options">How much may be kept.</param>
    /// <returns>The chosen ones, made coarser where they hold too much together.</returns>
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
        int most = options.ItemsPerSeries;
        foreach (ConnectionTimeline timeline in chosen)
        {
            timeline.Reduce(most); // holds no more places than items from here on
        }

        while (chosen.Sum(timeline => timeline.Length) > options.ItemsKept && most > TimelineOptions.LeastItemsPerSeries)
        {
            most = int.Max(most / 2, TimelineOptions.LeastItemsPerSeries);
            foreach (ConnectionTimeline timeline in chosen)
            {
                timeline.Reduce(most);
            }
        }
    }
}
