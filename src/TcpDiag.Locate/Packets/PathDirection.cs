using System.Collections.Generic;
using TcpDiag.Locate.Clocks;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;

namespace TcpDiag.Locate.Packets;

/// <summary>
/// One connection's points in the order in which the packets of one end pass them, and how their clocks stand to each other.
/// </summary>
/// <param name="sightings">The points, from the client to the server.</param>
/// <param name="clocks">The relation of each to the next one.</param>
/// <param name="isClient">Whose packets.</param>
sealed class PathDirection(IReadOnlyList<Sighting> sightings, IReadOnlyList<ClockRelation> clocks, bool isClient)
{
    /// <summary>Whose packets.</summary>
    public bool IsClient { get; } = isClient;

    /// <summary>How many points.</summary>
    public int Count => sightings.Count;

    /// <summary>A point, 0 being the first that the packets pass.</summary>
    public Sighting this[int place] => sightings[IsClient ? place : Count - 1 - place];

    /// <summary>Whether delays from a place to the next are known, but for the bound of the error.</summary>
    public bool IsTimed(int place) => ClockBehind(place).IsKnown;

    /// <summary>A packet at a place.</summary>
    public ref readonly SeenPacket Packet(int place, int index) => ref this[place].Seen.Packets[index];

    /// <summary>How long a packet took from a place to a later one, ns.</summary>
    public long Delay(int from, long sent, int to, long seen)
    {
        long before = From(from, sent, to - 1);
        ClockRelation clock = ClockBehind(to - 1);
        return IsClient ? clock.Between(before, seen) : -clock.Between(seen, before);
    }

    /// <summary>An instant by a place's clock, by that of a later place.</summary>
    public long From(int from, long time, int to)
    {
        for (int place = from; place < to; place++)
        {
            time = IsClient ? ClockBehind(place).ToFar(time) : ClockBehind(place).ToNear(time);
        }

        return time;
    }

    ClockRelation ClockBehind(int place) => clocks[IsClient ? place : Count - 2 - place];
}
