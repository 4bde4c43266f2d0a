using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// Joins the connections of the stack's events with those seen in packets, by 4-tuple and time; what has no packets becomes a connection known from
/// events alone.
/// </summary>
static class EventJoiner
{
    /// <summary>Joins.</summary>
    /// <param name="connections">Those seen in packets, in the order of their numbers; becomes all of them, in the order of time.</param>
    /// <param name="events">Those in the events; each gets the number of the connection it is part of.</param>
    /// <param name="part">The connections that are looked at; of the others none is made.</param>
    /// <returns>What became of them.</returns>
    public static JoinResult Join(List<Connection> connections, StackConnectionTable events, in ConnectionPart part = default)
    {
        if (events.All.Count == 0)
        {
            return new([.. Enumerable.Range(0, connections.Count)], Idle: 0);
        }

        Dictionary<FlowKey, List<int>> byKey = IndexByKey(connections);
        int idle = 0;
        foreach (StackConnection stack in events.All)
        {
            if (stack is not { Local: { } local, Remote: { } remote } || remote.Address.IsUnspecified)
            {
                idle++;
            }
            else if (!part.Has(FlowKey.Of(local, remote, out _)))
            {
                // It is joined with those of its part.
            }
            else if (FindOverlapping(connections, byKey.GetValueOrDefault(FlowKey.Of(local, remote, out _)), stack) is { } seen)
            {
                stack.Joined = seen;
                connections[seen] = Join(connections[seen], stack, local, events);
            }
            else if (stack.IsActive)
            {
                stack.Joined = connections.Count;
                connections.Add(EventConnection.Create(stack, local, remote, events) with { Index = connections.Count });
            }
            else
            {
                idle++;
            }

            stack.Close();
        }

        return new(Renumber(connections, events), idle);
    }

    static Connection Join(Connection seen, StackConnection stack, Endpoint local, StackConnectionTable events)
    {
        uint? process = seen.ProcessId ?? stack.ProcessId;
        Connection joined = WithSystem(seen, stack) with
        {
            ProcessId = process,
            ProcessName = seen.ProcessName ?? events.NameOf(process),
            Evidence = seen.Evidence | Evidence.Events,
        };
        return joined.WithDirection(local, sender => LimitCounterCheck.Compare(LimitJoiner.Join(WithCounts(sender, stack), stack), stack));
    }

    public static Connection WithSystem(Connection connection, StackConnection stack) =>
        connection.Client == stack.Local ? connection with { ClientSystem = stack.System } : connection with { ServerSystem = stack.System };

    // Every DSACK comes with an acknowledgment: where the events show fewer of these than the capture has DSACKs, missing DSACKs mean nothing.
    static ConnectionDirection WithCounts(ConnectionDirection sender, StackConnection stack)
    {
        bool isWhole = !stack.HasLostEvents && stack.SacksWithDsackCount > 0 && stack.SacksWithDsackCount >= sender.Dsacks;
        return sender with
        {
            StackDsacks = stack.DsacksCounted > 0 || isWhole ? stack.DsacksCounted : null,
            StackReoWndMult = stack.MaxReoWndMult,
            CwndRestarts = stack.CwndRestarts,
        };
    }

    static Dictionary<FlowKey, List<int>> IndexByKey(List<Connection> connections)
    {
        var byKey = new Dictionary<FlowKey, List<int>>();
        for (int i = 0; i < connections.Count; i++)
        {
            FlowKey key = FlowKey.Of(connections[i].Client, connections[i].Server, out _);
            if (!byKey.TryGetValue(key, out List<int>? same))
            {
                byKey[key] = same = [];
            }

            same.Add(i);
        }

        return byKey;
    }

    static int? FindOverlapping(List<Connection> connections, List<int>? candidates, StackConnection stack)
    {
        int? best = null;
        long bestOverlap = -Thresholds.EventToleranceNanos;
        foreach (int candidate in candidates ?? [])
        {
            long overlap = Math.Min(connections[candidate].Last.Nanoseconds, stack.Last.Nanoseconds)
                - Math.Max(connections[candidate].Start.Nanoseconds, stack.Start.Nanoseconds);
            if (overlap > bestOverlap)
            {
                best = candidate;
                bestOverlap = overlap;
            }
        }

        return best;
    }

    // Where each went that had a number before.
    static int[] Renumber(List<Connection> connections, StackConnectionTable events)
    {
        connections.Sort(static (left, right) =>
        {
            int byTime = left.Start.CompareTo(right.Start);
            return byTime != 0 ? byTime : left.Index.CompareTo(right.Index);
        });
        int[] numbers = new int[connections.Count];
        for (int i = 0; i < connections.Count; i++)
        {
            numbers[connections[i].Index] = i;
            connections[i] = connections[i].Index == i ? connections[i] : connections[i] with { Index = i };
        }

        foreach (StackConnection stack in events.All)
        {
            stack.Joined = stack.Joined is { } joined ? numbers[joined] : null;
        }

        return numbers;
    }
}

/// <summary>What became of the connections of packets and of events.</summary>
/// <param name="Numbers">Where each connection of packets is now, by its number while the trace was read.</param>
/// <param name="Idle">Connections of events that were only listed, or listening.</param>
readonly record struct JoinResult(int[] Numbers, int Idle);

/// <summary>Joins the limits of a sender by packets and by stack events, and notes where they disagree.</summary>
static class LimitJoiner
{
    public static ConnectionDirection Join(ConnectionDirection direction, StackConnection stack)
    {
        CwndSummary? cwnd = Join(direction.Cwnd, stack.Sender?.Cwnd());
        if (direction.ActiveTime is null || stack.LimitsOver(direction.ActiveTime) is not { } events)
        {
            return direction with { Cwnd = cwnd };
        }

        bool isWindowKnown = direction.MaxReceiveWindowBytes is not null || stack.Sender?.First is null;
        if (direction.Limits is not { } packets || !isWindowKnown
            || packets.Times.In(LimitState.NotJudged) > Thresholds.MinLimitDifference * packets.Times.Total)
        {
            return direction with
            {
                Cwnd = cwnd,
                Limits = events,
                MaxReceiveWindowBytes = direction.MaxReceiveWindowBytes ?? stack.Sender?.MaxSendWindowBytes,
            };
        }

        return direction with
        {
            Cwnd = cwnd,
            Limits = packets with { Evidence = Evidence.Both },
            LimitDisagreement = stack.Sender switch
            {
                { IsLate: true } => null, // whether data was left to send is not known
                { First: not null } => Compare(packets.Times, events.Times),
                _ => CompareWindow(packets.Times, events.Times),
            },
        };
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

        return part < Thresholds.MinLimitDifference ? null : new(more, less, part);
    }

    // The clocks of Linux are busy while anything is in flight, whatever the application does, and miss small send buffers: only the receive window can be
    // compared.
    static LimitDisagreement? CompareWindow(in LimitTimes packets, in LimitTimes events)
    {
        double difference = Difference(packets, events, LimitState.ReceiveWindow);
        return Math.Abs(difference) < Thresholds.MinLimitDifference ? null
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
        var connection = new Connection
        {
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
        return EventJoiner.WithSystem(connection, stack);
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
            MaxReceiveWindowBytes = stack.Sender?.MaxSendWindowBytes,
            CwndRestarts = stack.CwndRestarts,
            Retransmissions = Math.Max(stack.Retransmissions, stack.SummaryRetransmissions ?? 0),
            Rtt = events.Rtt.Summarise(stack.Rtt),
        };
        return LimitCounterCheck.Compare(direction, stack);
    }

    static ConnectionDirection Inbound(StackConnection stack)
    {
        long bytes = Math.Max(stack.BytesReceived, stack.SummaryBytesIn ?? 0);
        return bytes > 0 || stack.SummaryBytesIn is not null
            ? new ConnectionDirection { Evidence = Evidence.Events, PayloadBytes = bytes, UniqueBytes = bytes }
            : new ConnectionDirection();
    }
}
