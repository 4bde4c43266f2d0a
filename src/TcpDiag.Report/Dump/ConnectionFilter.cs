using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Report.Dump;

/// <summary>
/// Tells which events belong to a connection. Events with a Tcb but no address follow from the last event before them that had
/// both, else from the first behind them (a rundown, when all events are shown to the filter once before it is asked); so a
/// Tcb used again by a later connection is told apart.
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

    // Namings stand in the order of time; seen a second time they are known already.
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
