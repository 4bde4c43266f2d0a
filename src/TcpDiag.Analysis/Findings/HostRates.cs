using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The highest rate that connections from one host to another held for two round trips: the path gives as much to the others, whatever held those back.
/// </summary>
/// <param name="connections">Connections of a trace, looked at when one is first asked about; those that were added are looked at besides.</param>
sealed class HostRates(IReadOnlyList<Connection> connections)
{
    readonly Dictionary<(IpAddress Sender, IpAddress Receiver), Rates> _rates = [];
    IReadOnlyList<Connection> _waiting = connections;

    /// <summary>Looks at a connection, which need not be kept.</summary>
    /// <param name="connection">The connection.</param>
    public void Add(Connection connection)
    {
        Add((connection.Client.Address, connection.Server.Address), connection.FromClient);
        Add((connection.Server.Address, connection.Client.Address), connection.FromServer);
    }

    /// <summary>The rate that the others of the same hosts held.</summary>
    /// <param name="connection">The connection that they are compared with.</param>
    /// <param name="isFromClient">Whether the client is the sender.</param>
    /// <returns>Bits per second; null when no other held one.</returns>
    public double? Of(Connection connection, bool isFromClient)
    {
        foreach (Connection waiting in _waiting)
        {
            Add(waiting);
        }

        _waiting = [];
        (IpAddress client, IpAddress server) = (connection.Client.Address, connection.Server.Address);
        if (!_rates.TryGetValue(isFromClient ? (client, server) : (server, client), out Rates rates))
        {
            return null;
        }

        double rate = rates.Best == (isFromClient ? connection.FromClient : connection.FromServer).Delivery?.BestBitsPerSecond ? rates.Next : rates.Best;
        return rate > 0 ? rate : null;
    }

    void Add((IpAddress Sender, IpAddress Receiver) hosts, ConnectionDirection direction)
    {
        if (direction.Delivery?.BestBitsPerSecond is { } best)
        {
            ref Rates rates = ref CollectionsMarshal.GetValueRefOrAddDefault(_rates, hosts, out _);
            rates = best > rates.Best ? new(best, rates.Best) : rates with { Next = Math.Max(best, rates.Next) };
        }
    }

    // The highest two: one of them is another's.
    readonly record struct Rates(double Best, double Next);
}
