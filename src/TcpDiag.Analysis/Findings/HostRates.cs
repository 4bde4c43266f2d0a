using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The highest rate that any connection from one host to another held for two round trips: the path gives as much to the others, whatever held those back.
/// </summary>
sealed class HostRates
{
    readonly Dictionary<(IpAddress Sender, IpAddress Receiver), double> _rates = [];

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

    /// <summary>The rate of one direction's hosts.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="isFromClient">Whether the client is the sender.</param>
    /// <returns>Bits per second; null when none held one.</returns>
    public double? Of(Connection connection, bool isFromClient)
    {
        (IpAddress client, IpAddress server) = (connection.Client.Address, connection.Server.Address);
        return _rates.TryGetValue(isFromClient ? (client, server) : (server, client), out double rate) ? rate : null;
    }

    void Add(IpAddress sender, IpAddress receiver, ConnectionDirection direction)
    {
        if (direction.Delivery?.BestBitsPerSecond is { } best)
        {
            _rates[(sender, receiver)] = Math.Max(best, _rates.GetValueOrDefault((sender, receiver)));
        }
    }
}
