using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Clocks;

namespace TcpDiag.Locate.Connections;

/// <summary>
/// In which order packets pass the points. Data and its acknowledgment are further apart at a point nearer to the sender, whatever the clocks show; where
/// that says nothing, hop limits do, which every router lowers.
/// </summary>
static class PointOrder
{
    // Fewer packets that agree might be chance.
    const int MinVotes = 3;

    /// <summary>Orders a connection's points from the client to the server.</summary>
    /// <param name="connection">The connection; its sightings are put in order.</param>
    /// <returns>Whether the order is known; else it is that of the command line.</returns>
    public static bool Arrange(SharedConnection connection)
    {
        List<Sighting> sightings = connection.Sightings;
        sightings.Sort(static (one, two) => one.Point.Index.CompareTo(two.Point.Index));
        int[] before = new int[sightings.Count]; // how many points each is nearer to the client than
        bool isKnown = true;
        for (int i = 0; i < sightings.Count; i++)
        {
            for (int j = i + 1; j < sightings.Count; j++)
            {
                int order = Compare(sightings[i], sightings[j]);
                isKnown &= order != 0;
                before[order >= 0 ? i : j]++;
            }
        }

        Sighting[] ordered = [.. sightings.Select((sighting, i) => (sighting, i)).OrderByDescending(pair => before[pair.i]).Select(pair => pair.sighting)];
        sightings.Clear();
        sightings.AddRange(ordered);
        return isKnown && before.Distinct().Count() == before.Length;
    }

    // Positive where the first is nearer to the client.
    static int Compare(Sighting one, Sighting other)
    {
        List<ClockSample> samples = ClockSample.Of(one, other);
        int votes = ClockSample.Votes(samples);
        int needed = Math.Min(MinVotes, Math.Max(1, samples.Count / 4));
        return Math.Abs(votes) >= needed ? Math.Sign(votes) : Hops(one, other);
    }

    /// <summary>By how much the hop limits of packets fall from one point to the other; positive where the first is nearer to the client.</summary>
    public static int Hops(Sighting one, Sighting other)
    {
        int client = Fall(one.HopLimitOf(isClient: true), other.HopLimitOf(isClient: true));
        int server = Fall(other.HopLimitOf(isClient: false), one.HopLimitOf(isClient: false));
        return client != 0 ? client : server;
    }

    static int Fall(byte here, byte there) => here == 0 || there == 0 ? 0 : here - there;
}
