using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Filtering;

/// <summary>
/// Applies a filter to the records of one trace, in their order: what processes own and where the trace starts is learnt
/// on the way. Blocks that are neither packet nor event always pass; they belong to the file.
/// </summary>
/// <param name="filter">The filter.</param>
/// <param name="interfaces">The trace's interfaces; the list may grow.</param>
public sealed class RecordMatcher(RecordFilter filter, Func<IReadOnlyList<TraceInterface>> interfaces)
{
    const int MaxConnections = 1 << 20;

    readonly ConnectionOwners _owners = new(filter.Processes);
    readonly Dictionary<ulong, (Endpoint Local, Endpoint Remote)> _connections = [];
    readonly List<bool> _wantedInterfaces = [];
    readonly TimeWindow _window = new(filter.From, filter.To);
    ParsedPacket _packet;

    /// <summary>Whether a record passes.</summary>
    /// <param name="record">The next record of the trace.</param>
    /// <returns>True when it is wanted.</returns>
    public bool Matches(scoped in TraceRecord record)
    {
        switch (record.Kind)
        {
            case TraceRecordKind.Packet:
                return _window.Contains(record.Time) && MatchesPacket(record);
            case TraceRecordKind.StackEvent when record.Event is { } stackEvent:
                Learn(stackEvent);
                return _window.Contains(record.Time) && MatchesEvent(stackEvent);
            default:
                return true;
        }
    }

    bool MatchesPacket(scoped in TraceRecord record)
    {
        bool isDropWanted = filter.Drops == DropChoice.All || record.IsDropped == (filter.Drops == DropChoice.DropsOnly);
        if (!isDropWanted || (filter.EachPacketOnce && record.IsRepeat) || !IsInterfaceWanted(record.InterfaceIndex))
        {
            return false;
        }

        return !filter.NeedsHeaders || MatchesHeaders(record);
    }

    bool MatchesHeaders(scoped in TraceRecord record)
    {
        if (!PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref _packet))
        {
            return false;
        }

        bool hasPorts = _packet.IsTcp || _packet.IsUdp;
        var source = new Endpoint(_packet.Source, hasPorts ? _packet.SourcePort : (ushort)0);
        var destination = new Endpoint(_packet.Destination, hasPorts ? _packet.DestinationPort : (ushort)0);
        return MatchesEndpoints(source, destination)
            && (filter.Processes.Count == 0 || _owners.IsWanted(FlowKey.Of(_packet, out _), record.ProcessId));
    }

    void Learn(StackEvent stackEvent)
    {
        _owners.Learn(stackEvent);
        if (stackEvent is { Tcb: not 0, Local: { } local, Remote: { } remote } && _connections.Count < MaxConnections)
        {
            _connections[stackEvent.Tcb] = (local, remote);
        }
    }

    // An event that names its connection by its handle alone is matched by what named the handle before.
    bool MatchesEvent(StackEvent stackEvent)
    {
        if (!filter.NeedsHeaders)
        {
            return filter.Drops != DropChoice.DropsOnly;
        }

        (Endpoint Local, Endpoint Remote)? ends = stackEvent is { Local: { } local, Remote: { } remote } ? (local, remote) : null;
        if (ends is null && _connections.TryGetValue(stackEvent.Tcb, out (Endpoint Local, Endpoint Remote) known))
        {
            ends = known;
        }

        return ends is { } pair && MatchesEndpoints(pair.Local, pair.Remote)
            && (filter.Processes.Count == 0 || _owners.IsWanted(FlowKey.Of(pair.Local, pair.Remote, out _), stackEvent.ProcessId ?? 0));
    }

    bool MatchesEndpoints(Endpoint first, Endpoint second) =>
        (filter.Hosts.Count == 0 || ContainsAny(first.Address, second.Address))
        && (filter.Ports.Count == 0 || IsPort(first.Port) || IsPort(second.Port));

    bool ContainsAny(IpAddress first, IpAddress second)
    {
        foreach (AddressRange range in filter.Hosts)
        {
            if (range.Contains(first) || range.Contains(second))
            {
                return true;
            }
        }

        return false;
    }

    bool IsPort(ushort port)
    {
        foreach (int wanted in filter.Ports)
        {
            if (wanted == port)
            {
                return true;
            }
        }

        return false;
    }

    bool IsInterfaceWanted(int index)
    {
        if (filter.Interfaces.Count == 0)
        {
            return true;
        }

        while (_wantedInterfaces.Count <= index)
        {
            _wantedInterfaces.Add(IsWanted(interfaces()[_wantedInterfaces.Count]));
        }

        return _wantedInterfaces[index];
    }

    bool IsWanted(TraceInterface found)
    {
        foreach (string wanted in filter.Interfaces)
        {
            // Digits are the number alone: names are full of them.
            bool isWanted = uint.TryParse(wanted, NumberStyles.None, CultureInfo.InvariantCulture, out uint number)
                ? number == found.Index
                : Names(found.Name, wanted) || Names(found.Description, wanted);
            if (isWanted)
            {
                return true;
            }
        }

        return false;
    }

    static bool Names(string? text, string part) => text?.Contains(part, StringComparison.OrdinalIgnoreCase) == true;
}

/// <summary>
/// Which connections belong to the wanted processes, as the events of the stack say. The process under
/// which a packet was logged is often another one, so it counts only for connections of which no event has said so.
/// </summary>
sealed class ConnectionOwners(IReadOnlyList<string> wanted)
{
    // A bound for hostile traces: connections and processes kept.
    const int MaxEntries = 1 << 20;

    readonly Dictionary<FlowKey, uint> _owners = [];
    readonly Dictionary<uint, string> _names = [];

    public void Learn(StackEvent stackEvent)
    {
        if (stackEvent.ProcessId is not { } process)
        {
            return;
        }

        if (stackEvent.Kind == StackEventKind.ProcessNamed && stackEvent.Text is { } name && _names.Count < MaxEntries)
        {
            _names[process] = name;
        }

        if (stackEvent is { Local: { } local, Remote: { } remote } && _owners.Count < MaxEntries)
        {
            _owners[FlowKey.Of(local, remote, out _)] = process;
        }
    }

    /// <summary>Whether a connection belongs to a wanted process.</summary>
    public bool IsWanted(FlowKey flow, uint loggedUnder) => IsWanted(_owners.GetValueOrDefault(flow, loggedUnder));

    /// <summary>Whether a process is wanted.</summary>
    public bool IsWanted(uint process)
    {
        string? name = _names.GetValueOrDefault(process);
        foreach (string candidate in wanted)
        {
            if (ProcessWord.Means(candidate, process, name))
            {
                return true;
            }
        }

        return false;
    }
}

/// <summary>What a user calls a process: its id, or the beginning of its name.</summary>
public static class ProcessWord
{
    /// <summary>Whether a process is meant.</summary>
    /// <param name="word">What the user wrote.</param>
    /// <param name="id">The process; null when not known.</param>
    /// <param name="name">Name of its image; null when not known.</param>
    /// <returns>True for its id and for the beginning of its name, in capitals or not.</returns>
    public static bool Means(string word, uint? id, string? name)
    {
        ArgumentNullException.ThrowIfNull(word);
        bool isId = uint.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out uint number) && number == id;
        return isId || (name is not null && name.StartsWith(word, StringComparison.OrdinalIgnoreCase));
    }
}

/// <summary>A part of a trace by time. The first record it is asked about is where the trace begins.</summary>
/// <param name="from">The earliest time in it; null for the beginning.</param>
/// <param name="to">The latest time in it; null for the end.</param>
public sealed class TimeWindow(TimeBound? from, TimeBound? to)
{
    /// <summary>Time of the first record; null before it.</summary>
    public TraceTime? Start { get; private set; }

    /// <summary>Latest time of a record, in it or not; null before the first.</summary>
    public TraceTime? End { get; private set; }

    /// <summary>Whether a record lies in it.</summary>
    /// <param name="time">The record's time; records come in the order of the trace.</param>
    /// <returns>True from the one bound to the other, both included.</returns>
    public bool Contains(TraceTime time)
    {
        TraceTime start = Start ??= time;
        End = time > End ? time : End ?? time;
        return (from is not { } earliest || time >= earliest.At(start)) && (to is not { } latest || time <= latest.At(start));
    }
}
