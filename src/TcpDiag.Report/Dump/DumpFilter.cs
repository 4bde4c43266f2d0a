using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Report.Dump;

/// <summary>Which events <c>dump</c> shows; what is null or empty does not restrict.</summary>
public sealed record DumpFilter
{
    /// <summary>Part of the provider's name, or its GUID.</summary>
    public string? Provider { get; init; }

    /// <summary>Event ids; of classic events opcodes.</summary>
    public IReadOnlyCollection<int> Ids { get; init; } = [];

    /// <summary>Fields that must have a value, as text shows it.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Fields { get; init; } = [];

    /// <summary>Seconds since the start of the trace.</summary>
    public double? FromSeconds { get; init; }

    /// <summary>Seconds since the start of the trace.</summary>
    public double? ToSeconds { get; init; }

    /// <summary>A connection: an endpoint (<c>10.0.0.1:443</c>), an address, or a Tcb (<c>0xffff…</c>).</summary>
    public string? Connection { get; init; }

    /// <summary>How many events to show at most.</summary>
    public long Limit { get; init; } = long.MaxValue;

    /// <summary>Whether an instant is wanted.</summary>
    /// <param name="nanoseconds">Nanoseconds since the start of the trace.</param>
    public bool IsInTime(long nanoseconds)
    {
        double seconds = nanoseconds / 1e9;
        return (FromSeconds is not { } from || seconds >= from) && (ToSeconds is not { } to || seconds <= to);
    }

    /// <summary>Whether an event id is wanted.</summary>
    public bool IsWanted(int id)
    {
        if (Ids.Count == 0)
        {
            return true;
        }

        foreach (int wanted in Ids)
        {
            if (wanted == id)
            {
                return true;
            }
        }

        return false;
    }
}

/// <summary>
/// Decides which events belong to a connection. An event with a Tcb but no address is assigned by the last event before it that had both, else by the first
/// one after it (a rundown; for that all events pass the filter once before it is asked). A Tcb that a later connection uses again is thereby kept apart.
/// </summary>
sealed class ConnectionFilter
{
    readonly string _wanted;
    readonly ulong? _wantedTcb;
    readonly Dictionary<ulong, List<Naming>> _namings = [];

    public ConnectionFilter(string wanted)
    {
        _wanted = wanted;
        bool isTcb = wanted.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            & ulong.TryParse(wanted.AsSpan(Math.Min(2, wanted.Length)), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong tcb);
        _wantedTcb = isTcb ? tcb : null;
    }

    /// <summary>Whether it has to see which connection a Tcb is.</summary>
    public bool NeedsNames => _wantedTcb is null;

    /// <summary>Whether an event belongs to the connection; also remembers what it names.</summary>
    public bool IsMatch(EventSchema schema, ReadOnlySpan<byte> payload, bool is64Bit, long time)
    {
        ulong? tcb = null;
        bool hasAddress = false;
        bool isMatch = false;
        var kernel = default(KernelEnds);
        var reader = new PayloadReader(schema, payload, is64Bit);
        while (reader.TryRead(out PayloadField field))
        {
            if (field.Schema is { Name: "Tcb", InType: InType.Pointer } && field.TryReadInteger(out long number))
            {
                tcb = (ulong)number;
            }
            else if (field.Schema.OutType == OutType.SocketAddress && SocketAddress.TryRead(field.Data, out Endpoint endpoint))
            {
                hasAddress = true;
                isMatch |= IsWanted(endpoint);
            }
            else
            {
                kernel.Add(field);
            }
        }

        isMatch |= kernel.TryGet(out Endpoint local, out Endpoint remote) && (IsWanted(local) || IsWanted(remote));
        return Decide(tcb, hasAddress, isMatch, time);
    }

    /// <summary>Whether a stack event belongs to the connection; also remembers what it names.</summary>
    public bool IsMatch(ulong tcb, Endpoint? local, Endpoint? remote, long time)
    {
        bool isMatch = (local is { } near && IsWanted(near)) || (remote is { } far && IsWanted(far));
        return Decide(tcb == 0 ? null : tcb, local is not null || remote is not null, isMatch, time);
    }

    bool Decide(ulong? tcb, bool hasAddress, bool isMatch, long time)
    {
        if (tcb is not { } handle)
        {
            return isMatch;
        }

        if (handle == _wantedTcb)
        {
            return true;
        }

        if (!hasAddress)
        {
            return IsNamed(handle, time);
        }

        Remember(handle, new Naming(time, isMatch));
        return isMatch;
    }

    // Namings are in the order of time; on the second pass they are all known.
    void Remember(ulong tcb, Naming naming)
    {
        if (!_namings.TryGetValue(tcb, out List<Naming>? namings))
        {
            _namings.Add(tcb, [naming]);
        }
        else if (namings[^1].Time < naming.Time && namings[^1].IsMatch != naming.IsMatch)
        {
            namings.Add(naming);
        }
    }

    bool IsNamed(ulong tcb, long time)
    {
        if (!_namings.TryGetValue(tcb, out List<Naming>? namings))
        {
            return false;
        }

        int last = namings.FindLastIndex(naming => naming.Time <= time);
        return namings[Math.Max(last, 0)].IsMatch;
    }

    bool IsWanted(Endpoint endpoint) =>
        endpoint.ToString().Equals(_wanted, StringComparison.OrdinalIgnoreCase)
        || endpoint.Address.ToString().Equals(_wanted, StringComparison.OrdinalIgnoreCase);

    /// <summary>An event that had both a Tcb and an address.</summary>
    /// <param name="Time">When.</param>
    /// <param name="IsMatch">Whether it was the wanted connection.</param>
    readonly record struct Naming(long Time, bool IsMatch);
}

/// <summary>Collects the ends of a kernel TcpIp, UdpIp or Kernel-Network event from its fields daddr (the peer), saddr, dport and sport.</summary>
struct KernelEnds
{
    IpAddress? _local;
    IpAddress? _remote;
    ushort _localPort;
    ushort _remotePort;

    /// <summary>Takes in a field of any name.</summary>
    public void Add(in PayloadField field)
    {
        bool isAddress = field.Data.Length is 4 or 16;
        switch (field.Schema?.Name)
        {
            case "saddr" when isAddress:
                _local = IpAddress.Read(field.Data);
                break;
            case "daddr" when isAddress:
                _remote = IpAddress.Read(field.Data);
                break;
            case "sport" when field.TryReadInteger(out long port):
                _localPort = (ushort)port;
                break;
            case "dport" when field.TryReadInteger(out long port):
                _remotePort = (ushort)port;
                break;
            default:
                break;
        }
    }

    /// <summary>Gives the ends when both addresses were there.</summary>
    public readonly bool TryGet(out Endpoint local, out Endpoint remote)
    {
        local = new Endpoint(_local ?? default, _localPort);
        remote = new Endpoint(_remote ?? default, _remotePort);
        return _local is not null && _remote is not null;
    }
}
