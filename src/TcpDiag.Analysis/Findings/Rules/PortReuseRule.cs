using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>A client opened a connection from a port it had just used to the same service, and the opening failed at first: the server still held the old one in TIME_WAIT.</summary>
static class PortReuseRule
{
    const long TimeWait = 240_000_000_000; // ns: twice the maximum segment lifetime of RFC 9293 §3.4.2

    public static IEnumerable<Finding> Judge(IReadOnlyList<Connection> connections)
    {
        if (!connections.Any(IsSlow))
        {
            yield break;
        }

        var latest = new Dictionary<FlowKey, Connection>();
        foreach (Connection connection in connections)
        {
            FlowKey key = FlowKey.Of(connection.Client, connection.Server, out _);
            if (latest.TryGetValue(key, out Connection? before) && IsHindered(connection, before))
            {
                yield return Word(connection, before);
            }

            latest[key] = connection;
        }
    }

    static bool IsSlow(Connection connection) =>
        connection.SynRetransmissions > 0 || (!connection.IsOpen && connection.End == ConnectionEnd.Rst);

    static bool IsHindered(Connection connection, Connection before) =>
        IsSlow(connection) && before.End == ConnectionEnd.Fin && connection.Start - before.Last < TimeWait;

    static Finding Word(Connection connection, Connection before) =>
        new FindingDraft(FindingIds.PortReuse)
            .Costs(connection.ConnectTime ?? 0)
            .AtLeast(FindingSeverity.Warning)
            .Sure(0.7)
            .Worded(() => new FindingText($"Client port {connection.Client.Port} was used again {Quantity.Duration(connection.Start - before.Last)} after its last connection, and the server did not accept it at once.")
                .Because($"The server still keeps the earlier connection in TIME_WAIT and takes the new SYN for an old packet. The client runs short of ports, or binds a fixed one.")
                .Shown("end of the earlier connection to the new SYN", $"{Quantity.Duration(connection.Start - before.Last)}", null, Place.OfOpening(connection))
                .Shown("earlier connection", $"{before.Index}")
                .Advise(
                    "Application on the client: keep connections open and use them again; do not bind a fixed local port.",
                    "Windows client: netsh int ipv4 show dynamicport tcp; widen it with set dynamicport.",
                    "Linux client: net.ipv4.ip_local_port_range; NAT gateways run out in the same way."))
            .On(connection);
}
