using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The highest rate that connections from one host to another held for two round trips: the path gives as much to the others, whatever held those back.
/// </summary>
sealed class HostRates
{
    readonly Dictionary<(IpAddress Sender, IpAddress Receiver), Rates> _rates = [];

    /// <summary>Looks at all connections of a trace.</summary>
    /// <param name="connections">The connections.</param>
    public HostRates(IReadOnlyList<Connection> connections)
    {
        foreach (Connection connection in connections)
        {
            Add(connection.Client.Address, connection.Server.Address, connection.FromClient);
            Add(connection.Server.Address, connection.Client.Address, connection.FromServer);
        }
    }

    /// <summary>The rate that the others of the same hosts held.</summary>
    /// <param name="connection">The connection that they are compared with.</param>
    /// <param name="isFromClient">Whether the client is the sender.</param>
    /// <returns>Bits per second; null when no other held one.</returns>
    public double? Of(Connection connection, bool isFromClient)
    {
        (IpAddress client, IpAddress server) = (connection.Client.Address, connection.Server.Address);
        if (!_rates.TryGetValue(isFromClient ? (client, server) : (server, client), out Rates rates))
        {
            return null;
        }

        double rate = rates.Best == (isFromClient ? connection.FromClient : connection.FromServer).Delivery?.BestBitsPerSecond ? rates.Next : rates.Best;
        return rate > 0 ? rate : null;
    }

    void Add(IpAddress sender, IpAddress receiver, ConnectionDirection direction)
    {
        if (direction.Delivery?.BestBitsPerSecond is { } best)
        {
            Rates rates = _rates.GetValueOrDefault((sender, receiver));
            _rates[(sender, receiver)] = best > rates.Best ? new(best, rates.Best) : rates with { Next = Math.Max(best, rates.Next) };
        }
    }

    // The highest two: one of them is another's.
    readonly record struct Rates(double Best, double Next);
}
