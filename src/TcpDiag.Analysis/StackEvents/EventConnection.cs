using System;
using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>Makes a connection from events alone: bytes, retransmissions and RTT of what this machine sent.</summary>
static class EventConnection
{
    /// <summary>Makes the connection.</summary>
    /// <param name="told">What the events tell.</param>
    /// <param name="local">This machine's end.</param>
    /// <param name="remote">The peer's end.</param>
    /// <param name="events">Where its samples and process names are.</param>
    /// <returns>The connection; its index is not meaningful yet.</returns>
    public static Connection Create(StackConnection told, Endpoint local, Endpoint remote, StackConnectionTable events)
    {
        bool isClientHere = told.IsOpenedHere ?? local.Port > remote.Port;
        ConnectionDirection outbound = Outbound(told, events);
        ConnectionDirection inbound = Inbound(told);
        return new Connection
        {
            Index = int.MaxValue,
            Client = isClientHere ? local : remote,
            Server = isClientHere ? remote : local,
            Start = told.Start,
            Last = told.Last,
            ProcessId = told.ProcessId,
            ProcessName = events.NameOf(told.ProcessId),
            IsHandshakeComplete = told.IsEstablished,
            End = told.End,
            FromClient = isClientHere ? outbound : inbound,
            FromServer = isClientHere ? inbound : outbound,
            Evidence = Evidence.Events,
        };
    }

    static ConnectionDirection Outbound(StackConnection told, StackConnectionTable events)
    {
        long sent = told.SegmentsSent > 0 ? told.BytesSent : told.BytesCompleted;
        long bytes = Math.Max(sent, told.SummaryBytesOut ?? 0);
        LimitSummary? limits = told.LimitsOver(null);
        var direction = new ConnectionDirection
        {
            Evidence = Evidence.Events,
            PayloadBytes = bytes,
            UniqueBytes = Math.Max(bytes - told.BytesRetransmitted, 0),
            WireSegments = told.SegmentsSent,
            ActiveTime = told.FirstSend is { } first ? Math.Max(told.LastSend - first, 0) : limits?.Times.Total,
            Limits = limits,
            Cwnd = told.Sender?.Cwnd(),
            CwndRestarts = told.CwndRestarts,
            Retransmissions = Math.Max(told.Retransmissions, told.SummaryRetransmissions ?? 0),
            Rtt = events.Rtt.Summarise(told.Rtt.Count > 0 ? told.Rtt : told.Srtt),
        };
        LimitCounterCheck.Tell(direction, told);
        return direction;
    }

    static ConnectionDirection Inbound(StackConnection told)
    {
        long bytes = Math.Max(told.BytesReceived, told.SummaryBytesIn ?? 0);
        return bytes > 0 || told.SummaryBytesIn is not null
            ? new ConnectionDirection { Evidence = Evidence.Events, PayloadBytes = bytes, UniqueBytes = bytes }
            : new ConnectionDirection();
    }
}
