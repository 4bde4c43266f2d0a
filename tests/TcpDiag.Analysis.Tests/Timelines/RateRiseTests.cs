using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Analysis.Tests.Timelines;

/// <summary>When a transfer comes near the rate it reaches: two round trips in a row within a tenth of the most that any two held.</summary>
public sealed class RateRiseTests
{
    const int SegmentBytes = 1000;

    // Segments in each round trip of 10 ms. The most that two in a row held are 10; 9 and 10 are within a tenth of it, and one of 12 alone counts for
    // nothing. What is sent in a round trip comes back at its end.
    [Theory]
    [InlineData(new[] { 1, 2, 4, 8, 9, 10, 10, 10, 10 }, 50)]
    [InlineData(new[] { 1, 2, 4, 12, 4, 8, 10, 10, 10 }, 70)]
    [InlineData(new[] { 10, 10, 10, 10, 10, 10 }, 10)]
    public void Of_RoundTrips_IsTheFirstOfTwoNearTheRate(int[] segments, long milliseconds) =>
        Assert.InRange(Rise(segments)!.Value, (milliseconds - 1) * 1_000_000, milliseconds * 1_000_000);

    [Fact]
    public void Of_FewRoundTrips_IsUnknown() => Assert.Null(Rise(10, 10));

    // The acknowledgments of a round trip's data come 10 ms after it, spread over half a millisecond.
    static long? Rise(params int[] segments)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, Segments.FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0))
            .Packet(9_990, Segments.FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack))
            .Packet(10_000, Segments.FromClient(1, 1));
        uint sequence = 1;
        for (int round = 0; round < segments.Length; round++)
        {
            long time = 20_000 + (10_000 * round);
            for (int i = 0; i < segments[round]; i++)
            {
                trace.Packet(time + (i * 10), Segments.FromClient(sequence + (uint)(i * SegmentBytes), 1, SegmentBytes));
            }

            sequence += (uint)(segments[round] * SegmentBytes);
            trace.Packet(time + 9_990, Segments.FromServer(1, sequence));
        }

        TraceAnalysis analysis = TraceAnalyzer(trace);
        Connection connection = analysis.Connections.Single();
        return RateRise.Of(analysis.Timelines[connection].FromClient, connection.FromClient.Rtt);
    }

    static TraceAnalysis TraceAnalyzer(MemoryTrace trace) =>
        Intake.TraceAnalyzer.Analyze(trace, new AnalysisOptions { Timelines = new TimelineOptions() });
}
