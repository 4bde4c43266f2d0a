using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// What one end of a connection sent, in two captures. Which end is the client, one that begins late may take otherwise; NAT changes addresses.
/// </summary>
/// <param name="FirstPacket">Number of the connection's first packet in the capture that was analysed.</param>
/// <param name="Client">Its client there.</param>
/// <param name="OtherFirstPacket">Number of its first packet in the other one, nearer to the sender.</param>
/// <param name="OtherClient">Its client there.</param>
/// <param name="IsFromClient">Whether it is what the client sent.</param>
public sealed record DirectionAtTwoPoints(long FirstPacket, Endpoint Client, long OtherFirstPacket, Endpoint OtherClient, bool IsFromClient);

/// <summary>
/// Data that both ends send is judged best at both: losses, windows and what answers them show at the sender. What is found about a direction comes from the
/// capture nearer to its sender; connections, and all that is found about them as a whole, stay those of the capture that was analysed.
/// </summary>
public static class OtherPoint
{
    /// <summary>Judges some directions by another capture.</summary>
    /// <param name="analysis">The capture that was analysed.</param>
    /// <param name="other">The other one.</param>
    /// <param name="name">What that is called.</param>
    /// <param name="directions">The directions whose sender is nearer to it.</param>
    /// <returns>The analysis with these findings in place of its own.</returns>
    public static TraceAnalysis Judge(TraceAnalysis analysis, TraceAnalysis other, string name, IEnumerable<DirectionAtTwoPoints> directions)
    {
        Dictionary<long, Connection> own = ByFirstPacket(analysis);
        Dictionary<long, Connection> others = ByFirstPacket(other);
        Dictionary<(Connection, bool?), (Connection Connection, bool IsFromClient)> judged = [];
        HashSet<(Connection?, bool?)> replaced = [];
        foreach (DirectionAtTwoPoints direction in directions)
        {
            if (own.TryGetValue(direction.FirstPacket, out Connection? connection) && others.TryGetValue(direction.OtherFirstPacket, out Connection? there))
            {
                bool isFromClient = direction.IsFromClient == (connection.Client == direction.Client);
                judged[(there, direction.IsFromClient == (there.Client == direction.OtherClient))] = (connection, isFromClient);
                replaced.Add((connection, isFromClient));
            }
        }

        List<Finding> findings = [.. analysis.Findings.Where(finding => !replaced.Contains((finding.Connection, finding.IsFromClient)))];
        foreach (Finding finding in other.Findings)
        {
            if (finding.Connection is { } there && judged.TryGetValue((there, finding.IsFromClient), out (Connection Connection, bool IsFromClient) place))
            {
                findings.Add(finding with { Connection = place.Connection, IsFromClient = place.IsFromClient, SeenIn = name });
            }
        }

        return analysis with { Findings = FindingOrder.Sorted(findings) };
    }

    // Connections of events alone have none.
    static Dictionary<long, Connection> ByFirstPacket(TraceAnalysis analysis) =>
        analysis.Connections.Where(connection => connection.FirstPacket > 0).ToDictionary(connection => connection.FirstPacket);
}
