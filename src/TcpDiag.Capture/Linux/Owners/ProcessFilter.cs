using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>
/// Lets through what belongs to the selected processes. A packet does not name its process, so records wait in the time order until that should be
/// known; what is still unknown then is left out and counted, as a test on an unknown fact does not hold (<see cref="MatchRule.Matches"/>).
/// </summary>
/// <param name="match">What to record.</param>
/// <param name="owners">Whose connections are.</param>
/// <param name="next">Receives what is let through.</param>
/// <param name="interfaces">The interfaces of packets, by their numbers; grows while recording.</param>
sealed class ProcessFilter(MatchRule match, OwnerTable owners, IRecordWriter next, IReadOnlyList<TraceInterface> interfaces) : IRecordWriter
{
    const int MaxUndecided = 1 << 16;

    readonly Dictionary<int, long> _packets = [];
    readonly Dictionary<(Endpoint Source, Endpoint Destination), long> _undecided = [];
    readonly StackEvent _event = new();

    /// <summary>Events left out, samples not counted.</summary>
    public long Events { get; private set; }

    /// <summary>Samples left out.</summary>
    public long Samples { get; private set; }

    public void Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data)
    {
        if (record.IsEvent ? IncludesEvent(data) : IncludesPacket(record, data))
        {
            next.Write(time, record, data);
        }
    }

    /// <summary>Packets of an interface that were left out.</summary>
    public long Packets(int id) => _packets.GetValueOrDefault(id);

    /// <summary>Whether a connection is selected, by what is known now; safe on any thread.</summary>
    public bool Includes(Endpoint local, Endpoint remote) =>
        Judge(new(IpProtocol.Tcp, local, remote), PacketDirection.Outbound).IsIncluded
            || Judge(new(IpProtocol.Tcp, remote, local), PacketDirection.Inbound).IsIncluded;

    /// <summary>What was left out because a process became known too late, or never.</summary>
    public IEnumerable<string> Remarks()
    {
        var judged = _undecided
            .Select(one => (Packets: one.Value, Verdict: Judge(new(IpProtocol.Tcp, one.Key.Source, one.Key.Destination), PacketDirection.Unknown)))
            .ToList();
        long late = judged.Where(one => one.Verdict.IsIncluded).Sum(one => one.Packets);
        long unknown = judged.Where(one => !one.Verdict.IsKnown).Sum(one => one.Packets);
        if (late > 0)
        {
            yield return FormattableString.Invariant($"{late} packets of connections asked for are missing: which process holds them was not known in time");
        }

        if (unknown > 0)
        {
            yield return FormattableString.Invariant(
                $"{unknown} packets of TCP connections are left out for which no process was found: passed on, closed before, or opened for too short a time");
        }
    }

    // An event without a connection concerns all of them.
    bool IncludesEvent(ReadOnlySpan<byte> data)
    {
        if (!JournalDecoder.TryDecode(data, _event) || _event is not { Local: { } local, Remote: { } remote } || Includes(local, remote))
        {
            return true;
        }

        bool isSample = _event.Source is SocketSampler.Source && _event.Kind == StackEventKind.CwndSample;
        Samples += isSample ? 1 : 0;
        Events += isSample ? 0 : 1;
        return false;
    }

    bool IncludesPacket(PendingRecord record, ReadOnlySpan<byte> data)
    {
        var packet = default(ParsedPacket);
        PacketFacts facts = PacketParser.TryParse(data, interfaces[record.InterfaceId].LinkType, record.OriginalLength, ref packet)
            ? new(packet.Protocol, new(packet.Source, packet.SourcePort), new(packet.Destination, packet.DestinationPort))
            : default;
        (bool isIncluded, bool isKnown) = Judge(facts, record.Direction);
        if (isIncluded)
        {
            return true;
        }

        _packets[record.InterfaceId] = Packets(record.InterfaceId) + 1;
        if (!isKnown && facts.Protocol == IpProtocol.Tcp && _undecided.Count < MaxUndecided)
        {
            (Endpoint, Endpoint) ends = (facts.Source, facts.Destination);
            _undecided[ends] = _undecided.GetValueOrDefault(ends) + 1;
        }

        return false;
    }

    // With both ends on this machine, either process may match. Other protocols use the same ports for other sockets.
    (bool IsIncluded, bool IsKnown) Judge(PacketFacts packet, PacketDirection direction)
    {
        (SocketOwner sender, SocketOwner receiver) = (default, default);
        bool isTcp = packet.Protocol == IpProtocol.Tcp;
        bool isSenderKnown = isTcp && owners.TryFind(packet.Source, packet.Destination, out sender);
        bool isReceiverKnown = isTcp && owners.TryFind(packet.Destination, packet.Source, out receiver);
        bool isKnown = isSenderKnown || isReceiverKnown;
        bool isIncluded = (isSenderKnown && Holds(packet, sender, direction)) || (isReceiverKnown && Holds(packet, receiver, direction))
            || (!isKnown && Holds(packet, default, direction));
        return (isIncluded, isKnown);
    }

    // An unknown direction may be either.
    bool Holds(PacketFacts packet, SocketOwner owner, PacketDirection direction)
    {
        PacketFacts owned = packet with { ProcessId = (int)owner.ProcessId, ProcessName = owner.Name };
        return (direction != PacketDirection.Inbound && match.Matches(owned))
            || (direction != PacketDirection.Outbound && match.Matches(owned with { IsOut = false }));
    }
}

/// <summary>Passes on the events of connections whose process is selected, as far as it is known when they happen.</summary>
sealed class ProcessEvents(ProcessFilter filter, IStackEventSink next) : IStackEventSink
{
    public void Add(StackEvent stackEvent)
    {
        if (stackEvent is not { Local: { } local, Remote: { } remote } || filter.Includes(local, remote))
        {
            next.Add(stackEvent);
        }
    }
}
