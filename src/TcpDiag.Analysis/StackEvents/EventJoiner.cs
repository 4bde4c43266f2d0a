using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// Joins what the stack's events tell with the connections seen in packets, by 4-tuple and time; what has no packets
/// becomes a connection known from events alone.
/// </summary>
static class EventJoiner
{
    // Opening events come before the first packet, and a rundown may come after the last.
    const long Tolerance = 1_000_000_000; // ns

    /// <summary>Joins.</summary>
    /// <param name="connections">Connections seen in packets, in order; gets those known from events alone as well.</param>
    /// <param name="events">What the events tell.</param>
    /// <returns>Connections that were only listed as existing, or listening, and did nothing.</returns>
    public static int Join(List<Connection> connections, StackConnectionTable events)
    {
        if (events.All.Count == 0)
        {
            return 0;
        }

        Dictionary<FlowKey, List<Connection>> byKey = IndexByKey(connections);
        int idle = 0;
        foreach (StackConnection told in events.All)
        {
            if (told is not { Local: { } local, Remote: { } remote } || remote.Address.IsUnspecified)
            {
                idle++;
            }
            else if (FindOverlapping(byKey.GetValueOrDefault(FlowKey.Of(local, remote, out _)), told) is { } seen)
            {
                seen.ProcessId ??= told.ProcessId;
                seen.ProcessName ??= events.NameOf(seen.ProcessId);
                seen.Evidence |= Evidence.Events;
                told.Joined = seen;
                TellSystem(seen, told);
                Tell(seen.DirectionFrom(local), told);
                LimitJoiner.Join(seen.DirectionFrom(local), told);
                LimitCounterCheck.Tell(seen.DirectionFrom(local), told);
            }
            else if (told.IsActive)
            {
                told.Joined = EventConnection.Create(told, local, remote, events);
                TellSystem(told.Joined, told);
                connections.Add(told.Joined);
            }
            else
            {
                idle++;
            }
        }

        Renumber(connections);
        return idle;
    }

    static void TellSystem(Connection connection, StackConnection told)
    {
        bool isClient = connection.Client == told.Local;
        connection.ClientSystem = isClient ? told.System : connection.ClientSystem;
        connection.ServerSystem = isClient ? connection.ServerSystem : told.System;
    }

    // Every DSACK comes with an acknowledgment: where the stack told of fewer than the capture holds, its silence means nothing.
    static void Tell(ConnectionDirection sender, StackConnection told)
    {
        bool isWhole = !told.HasLostEvents && told.SacksTold > 0 && told.SacksTold >= sender.Dsacks;
        sender.StackDsacks = told.DsacksCounted > 0 || isWhole ? told.DsacksCounted : null;
        sender.CwndRestarts = told.CwndRestarts;
    }

    static Dictionary<FlowKey, List<Connection>> IndexByKey(List<Connection> connections)
    {
        var byKey = new Dictionary<FlowKey, List<Connection>>();
        foreach (Connection connection in connections)
        {
            FlowKey key = FlowKey.Of(connection.Client, connection.Server, out _);
            if (!byKey.TryGetValue(key, out List<Connection>? same))
            {
                byKey[key] = same = [];
            }

            same.Add(connection);
        }

        return byKey;
    }

    static Connection? FindOverlapping(List<Connection>? candidates, StackConnection told)
    {
        Connection? best = null;
        long bestOverlap = -Tolerance;
        foreach (Connection candidate in candidates ?? [])
        {
            long overlap = Math.Min(candidate.Last.Nanoseconds, told.Last.Nanoseconds)
                - Math.Max(candidate.Start.Nanoseconds, told.Start.Nanoseconds);
            if (overlap > bestOverlap)
            {
                best = candidate;
                bestOverlap = overlap;
            }
        }

        return best;
    }

    static void Renumber(List<Connection> connections)
    {
        connections.Sort(static (left, right) =>
        {
            int byTime = left.Start.CompareTo(right.Start);
            return byTime != 0 ? byTime : left.Index.CompareTo(right.Index);
        });
        for (int i = 0; i < connections.Count; i++)
        {
            connections[i].Index = i;
        }
    }
}
