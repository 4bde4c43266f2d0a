using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Filtering;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Results;

/// <summary>Which connections of a trace are wanted. Conditions of different kinds must all hold, of one kind one is enough; without any, all are.</summary>
public sealed record ConnectionFilter
{
    /// <summary>Address of one end.</summary>
    public IReadOnlyList<AddressRange> Hosts { get; init; } = [];

    /// <summary>Name by which the server was looked up, or a domain it is in; of one kind with <see cref="Hosts"/>.</summary>
    public IReadOnlyList<string> Names { get; init; } = [];

    /// <summary>Port of one end.</summary>
    public IReadOnlyList<int> Ports { get; init; } = [];

    /// <summary>Process id, or the beginning of a process name.</summary>
    public IReadOnlyList<string> Processes { get; init; } = [];

    /// <summary>Position among all connections (<see cref="Connection.Index"/>).</summary>
    public IReadOnlyList<int> Numbers { get; init; } = [];

    /// <summary>Whether a connection is wanted.</summary>
    /// <param name="connection">The connection, with its names and its process.</param>
    /// <returns>True when one condition of each kind holds.</returns>
    public bool Selects(Connection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return IsHost(connection)
            && IsPort(connection.Client, connection.Server)
            && (Processes.Count == 0 || Processes.Any(word => ProcessWord.Means(word, connection.ProcessId, connection.ProcessName)))
            && (Numbers.Count == 0 || Numbers.Contains(connection.Index));
    }

    /// <summary>Whether a connection may be wanted, of which only the ends are known yet.</summary>
    internal bool MaySelect(in FlowKey key) => (Names.Count > 0 || IsAddress(key.Low, key.High)) && IsPort(key.Low, key.High);

    bool IsHost(Connection connection) =>
        (Names.Count > 0 && connection.ServerName is { } name && Names.Any(wanted => IsIn(wanted, name)))
        || ((Names.Count == 0 || Hosts.Count > 0) && IsAddress(connection.Client, connection.Server));

    bool IsAddress(Endpoint one, Endpoint other) => Hosts.Count == 0 || Hosts.Any(range => range.Contains(one.Address) || range.Contains(other.Address));

    bool IsPort(Endpoint one, Endpoint other) => Ports.Count == 0 || Ports.Any(port => port == one.Port || port == other.Port);

    static bool IsIn(string domain, string name) =>
        name.EndsWith(domain, StringComparison.OrdinalIgnoreCase) && (name.Length == domain.Length || name[^(domain.Length + 1)] == '.');
}
