using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Intake;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Connections;

/// <summary>
/// Recognises connections over points: by addresses and initial sequence numbers; through NAT by sequence numbers and timestamps; through what moves
/// sequence numbers by the places of the packets or by payload. What agrees in nothing stays apart: a wrong match would be worse than none.
/// </summary>
static class ConnectionMatcher
{
    // Sequence number and acknowledgment together are 64 bits: two packets that agree are no chance; payload repeats itself.
    const int MinPackets = 2;
    const int MinPayloads = 3;

    /// <summary>Recognises the connections.</summary>
    /// <param name="points">The points.</param>
    /// <returns>All connections, those that only one point saw included.</returns>
    public static List<SharedConnection> Match(IReadOnlyList<VantagePoint> points)
    {
        List<SharedConnection> all = ByOpening(points);
        BySketch(all, points.Count, Sketch.OfNumbers, MinPackets, Recognition.SequenceNumbers);
        ByPlaces(all, points.Count);
        BySketch(all, points.Count, Sketch.OfPayload, MinPayloads, Recognition.Payload);
        all.RemoveAll(connection => connection.Sightings.Count == 0);
        all.ForEach(connection => connection.Orient());
        return all;
    }

    // By the initial sequence numbers, whatever the addresses are.
    static List<SharedConnection> ByOpening(IReadOnlyList<VantagePoint> points)
    {
        var all = new List<SharedConnection>();
        var known = new Dictionary<uint, List<SharedConnection>>();
        foreach (VantagePoint point in points)
        {
            foreach (SeenConnection seen in point.Connections)
            {
                var found = new SharedConnection();
                found.Sightings.Add(new Sighting(point, seen, seen.IsClientHigh ?? true));
                if (seen.IsClientHigh is not { } isClientHigh || !seen.OpeningOf(isClientHigh).IsSeen)
                {
                    all.Add(found);
                    continue;
                }

                if (!known.TryGetValue(seen.OpeningOf(isClientHigh).Isn, out List<SharedConnection>? alike))
                {
                    alike = [];
                    known.Add(seen.OpeningOf(isClientHigh).Isn, alike);
                }

                if (alike.Find(other => !other.IsSeenAt(point) && HaveSameOpening(other.Sightings[0].Seen, seen)) is { } same)
                {
                    bool isSame = same.Sightings[0].Seen.Key == seen.Key;
                    same.Take(found, isSame ? Recognition.Addresses : Recognition.InitialSequence, isTurned: false);
                }
                else
                {
                    alike.Add(found);
                    all.Add(found);
                }
            }
        }

        return all;
    }

    // The client's number is known to agree. Behind NAT something else must agree too: 32 bits alone meet by chance in large captures.
    static bool HaveSameOpening(SeenConnection one, SeenConnection other)
    {
        if (one.IsClientHigh is not { } oneClient || other.IsClientHigh is not { } otherClient)
        {
            return false;
        }

        ref readonly Opening answer = ref one.OpeningOf(!oneClient);
        ref readonly Opening otherAnswer = ref other.OpeningOf(!otherClient);
        if (answer.IsSeen && otherAnswer.IsSeen && answer.Isn != otherAnswer.Isn)
        {
            return false;
        }

        (Opening syn, Opening otherSyn) = (one.OpeningOf(oneClient), other.OpeningOf(otherClient));
        return one.Key == other.Key || (answer.IsSeen && otherAnswer.IsSeen) || (syn.TsVal != 0 && syn.TsVal == otherSyn.TsVal);
    }

    static void BySketch(List<SharedConnection> all, int points, Func<SeenConnection, Sketch> sketchOf, int needed, Recognition by)
    {
        SharedConnection[] open = Open(all, points);
        if (open.Length < 2)
        {
            return;
        }

        var sketches = open.ToDictionary(connection => connection, connection => sketchOf(Richest(connection)));
        Dictionary<ulong, List<SharedConnection>> byHash = ConnectionsByHash(sketches);
        foreach (SharedConnection connection in open)
        {
            if (connection.Sightings.Count > 0 && BestFor(connection, sketches, byHash, needed, out bool isTurned) is { } best)
            {
                Join(best, connection, by, isTurned);
            }
        }
    }

    static SharedConnection[] Open(List<SharedConnection> all, int points) =>
        [.. all.Where(connection => connection.Sightings.Count > 0 && connection.Sightings.Count < points)];

    static SeenConnection Richest(SharedConnection connection) => connection.Sightings.MaxBy(sighting => sighting.Seen.Packets.Count)!.Seen;

    static Dictionary<ulong, List<SharedConnection>> ConnectionsByHash(Dictionary<SharedConnection, Sketch> sketches)
    {
        var byHash = new Dictionary<ulong, List<SharedConnection>>();
        foreach ((SharedConnection connection, Sketch sketch) in sketches)
        {
            foreach (ulong hash in sketch.Hashes)
            {
                if (!byHash.TryGetValue(hash >> 1, out List<SharedConnection>? list))
                {
                    list = [];
                    byHash.Add(hash >> 1, list);
                }

                list.Add(connection);
            }
        }

        return byHash;
    }

    // The one that has most in common; none where two have as much: payload that many connections carry says nothing.
    static SharedConnection? BestFor(
        SharedConnection connection,
        Dictionary<SharedConnection, Sketch> sketches,
        Dictionary<ulong, List<SharedConnection>> byHash,
        int needed,
        out bool isTurned)
    {
        isTurned = false;
        Sketch own = sketches[connection];
        SharedConnection? best = null;
        int most = 0;
        const int maxConnections = 64;
        foreach (SharedConnection other in own.Hashes.Select(hash => byHash[hash >> 1])
            .Where(list => list.Count <= maxConnections).SelectMany(list => list).Distinct())
        {
            if (other == connection || other.Sightings.Count == 0 || !other.IsApartFrom(connection))
            {
                continue;
            }

            int common = sketches[other].InCommon(own, out int turned);
            int required = Math.Min(needed, Math.Min(own.Hashes.Length, sketches[other].Hashes.Length));
            if (common >= required && common >= most)
            {
                best = common == most ? null : other;
                most = common;
                isTurned = turned * 2 > common;
            }
        }

        return best;
    }

    // The hashes count directions by the order of the addresses; ends are clients and servers.
    static void Join(SharedConnection best, SharedConnection connection, Recognition by, bool isTurned)
    {
        (Sighting one, Sighting other) = (RichestSighting(best), RichestSighting(connection));
        bool areClientsApart = (one.IsClientHigh != other.IsClientHigh) != isTurned;
        bool isSame = by == Recognition.SequenceNumbers && one.Seen.Key == other.Seen.Key;
        Sighting turned = areClientsApart ? other.Turned() : other;
        uint client = by == Recognition.Payload ? ShiftOf(one, turned, isClient: true) : 0;
        uint server = by == Recognition.Payload ? ShiftOf(one, turned, isClient: false) : 0;
        best.Take(connection, isSame ? Recognition.Addresses : by, areClientsApart, client, server);
    }

    static Sighting RichestSighting(SharedConnection connection) => connection.Sightings.MaxBy(sighting => sighting.Seen.Packets.Count)!;

    // By the initial numbers, else by the most frequent difference between packets with the same payload.
    static uint ShiftOf(Sighting one, Sighting other, bool isClient)
    {
        (Opening own, Opening its) = (one.OpeningOf(isClient), other.OpeningOf(isClient));
        if (own.IsSeen && its.IsSeen)
        {
            return unchecked(its.Isn - own.Isn);
        }

        Dictionary<ulong, uint> first = PlacesOfPayload(one, isClient);
        return PlacesOfPayload(other, isClient)
            .Where(pair => first.ContainsKey(pair.Key))
            .GroupBy(pair => unchecked(pair.Value - first[pair.Key]))
            .OrderByDescending(group => group.Count())
            .Select(group => group.Key)
            .FirstOrDefault();
    }

    static Dictionary<ulong, uint> PlacesOfPayload(Sighting sighting, bool isClient)
    {
        var places = new Dictionary<ulong, uint>();
        const int enough = 100_000;
        for (int i = 0; i < sighting.Seen.Packets.Count && places.Count < enough; i++)
        {
            ref readonly SeenPacket packet = ref sighting.Seen.Packets[i];
            if (packet.Has(PacketMarks.PayloadHash) && packet.IsFromHigh == (isClient == sighting.IsClientHigh))
            {
                places.TryAdd(Sketch.HashOfPayload(packet), packet.Seq);
            }
        }

        return places;
    }

    // The same addresses and ports, and packets at the same places behind initial numbers that differ.
    static void ByPlaces(List<SharedConnection> all, int points)
    {
        foreach (IGrouping<FlowKey, SharedConnection> alike in Open(all, points).GroupBy(connection => connection.Sightings[0].Seen.Key))
        {
            SharedConnection[] group = [.. alike];
            for (int i = 1; i < group.Length; i++)
            {
                SharedConnection connection = group[i];
                Sketch own = Sketch.OfPlaces(Richest(connection));
                SharedConnection? match = group[..i].FirstOrDefault(other => other.Sightings.Count > 0 && other.IsApartFrom(connection)
                    && Sketch.OfPlaces(Richest(other)).InCommon(own, out _) * 2 > own.Hashes.Length);
                if (match is not null)
                {
                    (Sighting one, Sighting it) = (RichestSighting(match), RichestSighting(connection));
                    Sighting turned = one.IsClientHigh == it.IsClientHigh ? it : it.Turned();
                    match.Take(
                        connection,
                        Recognition.MovedSequence,
                        one.IsClientHigh != it.IsClientHigh,
                        ShiftOf(one, turned, isClient: true),
                        ShiftOf(one, turned, isClient: false));
                }
            }
        }
    }
}
