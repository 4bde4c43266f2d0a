using System.Linq;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Traces;

namespace TcpDiag.Lab.Results;

/// <summary>What the analysis of the sender's capture says of the flow (docs/commands/analyze.md).</summary>
/// <param name="WireSegments">Data segments, resent ones included.</param>
/// <param name="PayloadBytes">Payload bytes, resent ones included.</param>
/// <param name="UniqueBytes">Payload bytes, each once.</param>
/// <param name="Retransmissions">Data segments resent.</param>
/// <param name="Dsacks">DSACKs that came back.</param>
/// <param name="MinRttNs">Least RTT, nanoseconds; null without samples.</param>
/// <param name="GoodputBitsPerSecond">Unique bytes over the time from the first of them to the last acknowledged; null when not known, and for several connections.</param>
public sealed record AnalysisFigures(
    long WireSegments,
    long PayloadBytes,
    long UniqueBytes,
    long Retransmissions,
    long Dsacks,
    long? MinRttNs,
    double? GoodputBitsPerSecond)
{
    /// <summary>Analyses a capture of one flow; it may hold other connections too, where a recorder cannot filter by port.</summary>
    /// <param name="path">The capture.</param>
    /// <param name="port">The port at which the flow's connections were awaited.</param>
    /// <param name="interruption">Ends the work early.</param>
    /// <returns>The figures of all connections together, each in the direction of its payload; null when the capture has none.</returns>
    public static AnalysisFigures? Read(string path, int port, CancellationToken interruption)
    {
        using TraceReader reader = TraceFile.Open([path]);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, cancellation: interruption);
        ConnectionDirection[] sent = [.. analysis.Connections.Where(connection => connection.Client.Port == port || connection.Server.Port == port).Select(Sent)];
        return sent.Length == 0
            ? null
            : new(
                sent.Sum(direction => direction.WireSegments),
                sent.Sum(direction => direction.PayloadBytes),
                sent.Sum(direction => direction.UniqueBytes),
                sent.Sum(direction => direction.Retransmissions),
                sent.Sum(direction => direction.Dsacks),
                sent.Min(direction => direction.Rtt.Samples > 0 ? direction.Rtt.Min : null as long?),
                sent.Length == 1 ? sent[0].GoodputBitsPerSecond : null);
    }

    static ConnectionDirection Sent(Connection connection) =>
        connection.FromServer.PayloadBytes > connection.FromClient.PayloadBytes ? connection.FromServer : connection.FromClient;
}
