using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The highest rate that connections from one host to another held for two round trips: the path gives as much to the others, whatever held those back.
/// </summary>
/// <param name="connections">All connections of a trace; looked at when one is first asked about.</param>
sealed class HostRates(IReadOnlyList<Connection> connections)
{
    Dictionary<(IpAddress Sender, IpAddress Receiver), Rates>? _rates;

    /// <summary>The rate that the others of the same hosts held.</summary>
    /// <param name="connection">The connection that they are compared with.</param>
    /// <param name="isFromClient">Whether the client is the sender.</param>
    /// <returns>Bits per second; null when no other held one.</returns>
    public double? Of(Connection connection, bool isFromClient)
    {
        (IpAddress client, IpAddress server) = (connection.Client.Address, connection.Server.Address);
        _rates ??= RatesOf(connections);
        if (!_rates.TryGetValue(isFromClient ? (client, server) : (server, client), out Rates rates))
        {
            return null;
        }

        double rate = rates.Best == (isFromClient ? connection.FromClient : connection.FromServer).Delivery?.BestBitsPerSecond ? rates.Next : rates.Best;
        return rate > 0 ? rate : null;
    }

    static Dictionary<(IpAddress Sender, IpAddress Receiver), Rates> RatesOf(IReadOnlyList<Connection> connections)
    {
        var rates = new Dictionary<(IpAddress Sender, IpAddress Receiver), Rates>();
        foreach (Connection connection in connections)
        {
            Add(rates, (connection.Client.Address, connection.Server.Address), connection.FromClient);
            Add(rates, (connection.Server.Address, connection.Client.Address), connection.FromServer);
        }

        return rates;
    }

    static void Add(Dictionary<(IpAddress Sender, IpAddress Receiver), Rates> all, (IpAddress Sender, IpAddress Receiver) hosts, ConnectionDirection direction)
    {
        if (direction.Delivery?.BestBitsPerSecond is { } best)
        {
            ref Rates rates = ref CollectionsMarshal.GetValueRefOrAddDefault(all, hosts, out _);
            rates = best > rates.Best ? new(best, rates.Best) : rates with { Next = Math.Max(best, rates.Next) };
        }
    }

    // The highest two: one of them is another's.
    readonly record struct Rates(double Best, double Next);
}
