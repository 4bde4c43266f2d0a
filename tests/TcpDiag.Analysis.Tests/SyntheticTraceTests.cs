using System.Diagnostics;
using System.Linq;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Tests.Generation;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>Many connections at once, with every loss and reordering known.</summary>
public sealed class SyntheticTraceTests
{
    [Fact]
    public void Analyze_ThousandConnections_FindsWhatWasMade()
    {
        using SyntheticTrace trace = new(new TrafficPlan(1_000, 20) { LossPerMille = 50, ReorderingPerMille = 40, SpuriousPerMille = 30 });
        TraceAnalysis analysis = TraceAnalyzer.Analyze(trace);

        Check(analysis, trace, 1_000, 20);
        Assert.All(analysis.Connections, connection => Assert.Equal(ConnectionEnd.Fin, connection.End));
    }

    [LongFact]
    public void Analyze_HundredMillionPackets_TakesLessThanAGigabyte()
    {
        // 12 packets a flight and 6 around them: 83 flights make 1,002 packets of each connection.
        const int connections = 100_000, flights = 83;
        using SyntheticTrace trace = new(new TrafficPlan(connections, flights) { LossPerMille = 5, ReorderingPerMille = 5, SpuriousPerMille = 2 });
        TraceAnalysis analysis = TraceAnalyzer.Analyze(trace);

        Check(analysis, trace, connections, flights);
        Assert.InRange(analysis.Packets, 100_000_000, 110_000_000);

        // What the process took at most, the runtime and other tests included.
        using var self = Process.GetCurrentProcess();
        Assert.InRange(self.PeakWorkingSet64, 1, 1L << 30);
    }

    static void Check(TraceAnalysis analysis, SyntheticTrace trace, int connections, int flights)
    {
        Assert.Equal(connections, analysis.Connections.Count);
        Assert.Equal(trace.RecordsRead, analysis.TcpPackets);
        ConnectionDirection[] sent = [.. analysis.Connections.Select(connection => connection.FromClient)];
        long losses = trace.FlightsOf(Fate.Loss), spurious = trace.FlightsOf(Fate.Spurious), reordered = trace.FlightsOf(Fate.Reordering);
        Assert.True(losses > 0 && spurious > 0 && reordered > 0);
        Assert.Equal(losses + spurious, sent.Sum(direction => direction.Retransmissions));
        Assert.Equal(losses + spurious, sent.Sum(direction => direction.Triggers!.Value.Fast));
        Assert.Equal(losses, sent.Sum(direction => direction.Needs!.Value.Necessary));
        Assert.Equal(spurious, sent.Sum(direction => direction.Needs!.Value.Spurious));
        Assert.Equal(losses, sent.Sum(direction => direction.Loss!.Packets));
        Assert.Equal(reordered + spurious, sent.Sum(direction => direction.Reordering!.Packets)); // a late original is reordered, resent or not
        Assert.Equal(spurious, sent.Sum(direction => (long)direction.Dsacks));
        Assert.Equal((long)connections * flights * SyntheticTrace.FlightSegments, sent.Sum(direction => direction.WireSegments) - losses - spurious);
        Assert.All(sent, direction => Assert.InRange(direction.Rtt.Min, 24_000_000, 26_000_000));
    }
}
