using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// A sender whose full segments do not arrive, and which goes on with smaller ones (RFC 4821): those are full then. Captured at the client, 20 ms away.
/// </summary>
public sealed class CutSegmentsTests
{
    const int Mss = 1460;
    const int CutMss = 1024;
    const int RoundTrip = 20_000; // microseconds

    // Its congestion window grows by a segment each round trip; nothing else holds it.
    [Fact]
    public void SmallerSegments_BehindABlackHole_AreFull()
    {
        TraceAnalysis analysis = Upload(isCut: true).Analyze();
        LimitSummary limits = analysis.Connections.Single().FromClient.Limits!;

        Assert.Equal(0, limits.TimeIn(LimitState.SendBuffer));
        Assert.InRange(limits.TimeIn(LimitState.CongestionWindow), 500_000_000, limits.Times.Total);
        Assert.DoesNotContain(analysis.Findings, found => found.Id is FindingIds.SendBufferLimited);
    }

    // What a program writes in portions of that size, without such a loss before, is not.
    [Fact]
    public void SmallerSegments_WithoutOne_AreWhatIsWritten() =>
        Assert.Equal(0, Upload(isCut: false).Analyze().Connections.Single().FromClient.Limits!.TimeIn(LimitState.CongestionWindow));

    static MemoryTrace Upload(bool isCut)
    {
        var trace = new MemoryTrace()
            .Packet(0, Segments.FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(Mss))
            .Packet(RoundTrip, Segments.FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(Mss))
            .Packet(RoundTrip + 10, Segments.FromClient(1, 1));
        uint una = 1;
        long time = 2 * RoundTrip;
        if (isCut)
        {
            foreach (long again in new[] { 0, 250_000, 700_000, 1_600_000 })
            {
                trace.Packet(time + again, Segments.FromClient(1, 1, Mss));
                _ = again > 0 ? trace : trace.Packet(time + 5, Segments.FromClient(1 + Mss, 1, Mss));
            }

            time += 3_400_000;
            trace.Packet(time, Segments.FromClient(1, 1, CutMss));
            una += CutMss;
            trace.Packet(time + RoundTrip, Segments.FromServer(1, una).Window(ushort.MaxValue));
            time += RoundTrip + 10;
        }

        return Grow(trace, una, time);
    }

    // Each acknowledgment of two segments lets two go, the last of a round one more.
    static MemoryTrace Grow(MemoryTrace trace, uint una, long time)
    {
        uint next = una;
        for (int i = 0; i < 6; i++, next += CutMss)
        {
            trace.Packet(time + i, Segments.FromClient(next, 1, CutMss));
        }

        for (int round = 0; round < 40; round++)
        {
            time += RoundTrip;
            uint end = next;
            for (long at = time; una < end; at += 300)
            {
                una = una + (2 * CutMss) > end ? end : una + (2 * CutMss);
                trace.Packet(at, Segments.FromServer(1, una).Window(ushort.MaxValue));
                for (int i = 0; i < (una == end ? 3 : 2); i++, next += CutMss)
                {
                    trace.Packet(at + 10 + i, Segments.FromClient(next, 1, CutMss));
                }
            }
        }

        return trace;
    }
}
