using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// Joins the connections of the stack's events with those seen in packets, by 4-tuple and time; what has no packets becomes a connection known from
/// events alone.
/// </summary>
static class EventJoiner
{
    // Opening events come before the first packet, and a rundown may come after the last.
    const long ToleranceNanos = 1_000_000_000;

    /// <summary>Joins; adds connections known from events alone to the list. Returns how many were idle: only listed, or listening.</summary>
    public static int Join(List<Connection> connections, StackConnectionTable events)
    {
        if (events.All.Count == 0)
        {
            return 0;
        }

        Dictionary<FlowKey, List<Connection>> byKey = IndexByKey(connections);
        int idle = 0;
        foreach (StackConnection stack in events.All)
        {
            if (stack is not { Local: { } local, Remote: { } remote } || remote.Address.IsUnspecified)
            {
                idle++;
            }
            else if (FindOverlapping(byKey.GetValueOrDefault(FlowKey.Of(local, remote, out _)), stack) is { } seen)
            {
                seen.ProcessId ??= stack.ProcessId;
                seen.ProcessName ??= events.NameOf(seen.ProcessId);
                seen.Evidence |= Evidence.Events;
                stack.Joined = seen;
                SetSystem(seen, stack);
                SetCounts(seen.DirectionFrom(local), stack);
                LimitJoiner.Join(seen.DirectionFrom(local), stack);
                LimitCounterCheck.Compare(seen.DirectionFrom(local), stack);
            }
            else if (stack.IsActive)
            {
                stack.Joined = EventConnection.Create(stack, local, remote, events);
                SetSystem(stack.Joined, stack);
                connections.Add(stack.Joined);
            }
            else
            {
                idle++;
            }
        }

        Renumber(connections);
        return idle;
    }

    static void SetSystem(Connection connection, StackConnection stack)
    {
        bool isClient = connection.Client == stack.Local;
        connection.ClientSystem = isClient ? stack.System : connection.ClientSystem;
        connection.ServerSystem = isClient ? connection.ServerSystem : stack.System;
    }

    // Every DSACK comes with an acknowledgment: where the events show fewer of these than the capture has DSACKs, missing DSACKs mean nothing.
    static void SetCounts(ConnectionDirection sender, StackConnection stack)
    {
        bool isWhole = !stack.HasLostEvents && stack.SacksWithDsackCount > 0 && stack.SacksWithDsackCount >= sender.Dsacks;
        sender.StackDsacks = stack.DsacksCounted > 0 || isWhole ? stack.DsacksCounted : null;
        sender.CwndRestarts = stack.CwndRestarts;
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

    static Connection? FindOverlapping(List<Connection>? candidates, StackConnection stack)
    {
        Connection? best = null;
        long bestOverlap = -ToleranceNanos;
        foreach (Connection candidate in candidates ?? [])
        {
            long overlap = Math.Min(candidate.Last.Nanoseconds, stack.Last.Nanoseconds)
                - Math.Max(candidate.Start.Nanoseconds, stack.Start.Nanoseconds);
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

/// <summary>Joins the limits of a sender by packets and by stack events, and notes where they disagree.</summary>
static class LimitJoiner
{
    // Both judge the same intervals: smaller differences come from their edges.
    const double MinDifference = 0.05;

    public static void Join(ConnectionDirection direction, StackConnection stack)
    {
        direction.Cwnd = Join(direction.Cwnd, stack.Sender?.Cwnd());
        if (direction.ActiveTime is null || stack.LimitsOver(direction.ActiveTime) is not { } events)
        {
            return;
        }

        bool isWindowKnown = direction.MaxReceiveWindowBytes is not null || stack.Sender?.First is null;
        if (direction.Limits is not { } packets || !isWindowKnown || packets.Times.In(LimitState.NotJudged) > MinDifference * packets.Times.Total)
        {
            direction.Limits = events;
            return;
        }

        direction.Limits = packets with { Evidence = Evidence.Both };
        direction.LimitDisagreement = stack.Sender?.First is null
            ? CompareWindow(packets.Times, events.Times)
            : Compare(packets.Times, events.Times);
    }

    // The stack knows its window; packets only show what was sent in it.
    static CwndSummary? Join(CwndSummary? packets, CwndSummary? events) =>
        events is null ? packets : packets is null ? events : events with { Evidence = Evidence.Both };

    static LimitDisagreement? Compare(in LimitTimes packets, in LimitTimes events)
    {
        LimitState more = default;
        LimitState less = default;
        double part = 0;
        for (LimitState state = 0; (int)state < LimitTimes.States; state++)
        {
            double difference = Difference(packets, events, state);
            part += Math.Abs(difference) / 2;
            more = difference > Difference(packets, events, more) ? state : more;
            less = difference < Difference(packets, events, less) ? state : less;
        }

        return part < MinDifference ? null : new(more, less, part);
    }

    // The clocks of Linux are busy while anything is in flight, whatever the application does, and miss small send buffers: only the receive window can be
    // compared.
    static LimitDisagreement? CompareWindow(in LimitTimes packets, in LimitTimes events)
    {
        double difference = Difference(packets, events, LimitState.ReceiveWindow);
        return Math.Abs(difference) < MinDifference ? null
            : difference > 0 ? new(LimitState.ReceiveWindow, LimitState.CongestionWindow, difference)
            : new(LimitState.CongestionWindow, LimitState.ReceiveWindow, -difference);
    }

    static double Difference(in LimitTimes packets, in LimitTimes events, LimitState state) =>
        ((double)packets.In(state) / Math.Max(packets.Total, 1)) - ((double)events.In(state) / Math.Max(events.Total, 1));
}

/// <summary>Builds a connection from events alone: bytes, retransmissions and RTT of what this machine sent.</summary>
static class EventConnection
{
    public static Connection Create(StackConnection stack, Endpoint local, Endpoint remote, StackConnectionTable events)
    {
        bool isClientHere = stack.IsOpenedHere ?? local.Port > remote.Port;
        ConnectionDirection outbound = Outbound(stack, events);
        ConnectionDirection inbound = Inbound(stack);
        return new Connection
        {
            Index = int.MaxValue,
            Client = isClientHere ? local : remote,
            Server = isClientHere ? remote : local,
            Start = stack.Start,
            Last = stack.Last,
            ProcessId = stack.ProcessId,
            ProcessName = events.NameOf(stack.ProcessId),
            IsHandshakeComplete = stack.IsEstablished,
            End = stack.End,
            FromClient = isClientHere ? outbound : inbound,
            FromServer = isClientHere ? inbound : outbound,
            Evidence = Evidence.Events,
        };
    }

    static ConnectionDirection Outbound(StackConnection stack, StackConnectionTable events)
    {
        long sent = stack.SegmentsSent > 0 ? stack.BytesSent : stack.BytesCompleted;
        long bytes = Math.Max(sent, stack.SummaryBytesOut ?? 0);
        LimitSummary? limits = stack.LimitsOver(null);
        var direction = new ConnectionDirection
        {
            Evidence = Evidence.Events,
            PayloadBytes = bytes,
            UniqueBytes = Math.Max(bytes - stack.BytesRetransmitted, 0),
            WireSegments = stack.SegmentsSent,
            ActiveTime = stack.FirstSend is { } first ? Math.Max(stack.LastSend - first, 0) : limits?.Times.Total,
            Limits = limits,
            Cwnd = stack.Sender?.Cwnd(),
            CwndRestarts = stack.CwndRestarts,
            Retransmissions = Math.Max(stack.Retransmissions, stack.SummaryRetransmissions ?? 0),
            Rtt = events.Rtt.Summarise(stack.Rtt.Count > 0 ? stack.Rtt : stack.Srtt),
        };
        LimitCounterCheck.Compare(direction, stack);
        return direction;
    }

    static ConnectionDirection Inbound(StackConnection stack)
    {
        long bytes = Math.Max(stack.BytesReceived, stack.SummaryBytesIn ?? 0);
        return bytes > 0 || stack.SummaryBytesIn is not null
            ? new ConnectionDirection { Evidence = Evidence.Events, PayloadBytes = bytes, UniqueBytes = bytes }
            : new ConnectionDirection();
    }
}
