using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Report.Dump;

/// <summary>
/// Tells which events belong to a connection. Events with a Tcb but no address follow from an event that had both; a Tcb
/// used again by a later connection is told apart by the addresses in that one's first event.
/// </summary>
sealed class ConnectionFilter
{
    readonly string _wanted;
    readonly HashSet<ulong> _tcbs = [];

    public ConnectionFilter(string wanted)
    {
        _wanted = wanted;
        if (wanted.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            && ulong.TryParse(wanted.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong tcb))
        {
            _tcbs.Add(tcb);
        }
    }

    /// <summary>Whether an event belongs to the connection.</summary>
    public bool IsMatch(EventSchema schema, ReadOnlySpan<byte> payload, bool is64Bit)
    {
        ulong? tcb = null;
        bool hasAddress = false;
        bool isMatch = false;
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
        }

        return Learn(tcb, hasAddress, isMatch);
    }

    /// <summary>Whether a stack event belongs to the connection.</summary>
    public bool IsMatch(ulong tcb, Endpoint? local, Endpoint? remote)
    {
        bool isMatch = (local is { } near && IsWanted(near)) || (remote is { } far && IsWanted(far));
        return Learn(tcb == 0 ? null : tcb, local is not null || remote is not null, isMatch);
    }

    bool Learn(ulong? tcb, bool hasAddress, bool isMatch)
    {
        if (tcb is { } handle)
        {
            if (isMatch)
            {
                _tcbs.Add(handle);
            }
            else if (hasAddress && !_wanted.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
            {
                _tcbs.Remove(handle);
            }

            return isMatch || _tcbs.Contains(handle);
        }

        return isMatch;
    }

    bool IsWanted(Endpoint endpoint) =>
        endpoint.ToString().Equals(_wanted, StringComparison.OrdinalIgnoreCase)
        || endpoint.Address.ToString().Equals(_wanted, StringComparison.OrdinalIgnoreCase);
}
