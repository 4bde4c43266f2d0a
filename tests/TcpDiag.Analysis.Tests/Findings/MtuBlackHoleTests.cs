using System;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// Segments of full size that are lost each time, and what looks alike. Captured at the client, 40 ms from the server; instants in microseconds. The client's
/// request of 200 bytes arrives, then it sends segments of 1460 bytes.
/// </summary>
public sealed class MtuBlackHoleTests
{
    const uint Body = 201;

    [Theory]
    [InlineData(true, 0.9, "yes: packets of at most 1400 bytes")]
    [InlineData(false, 0.85, "none in this capture")]
    public void FullSized_LostUntilTheSenderProbes_IsABlackHole(bool isReported, double confidence, string reports)
    {
        MemoryTrace trace = Requested();
        if (isReported)
        {
            trace.Packet(105_000, TooBig(1400));
        }

        Resend(trace, 1460, 400_000, 1_000_000, 2_200_000);
        Finding finding = trace.Packet(4_600_000, FromClient(Body, 1, 1000)).Packet(4_640_000, FromServer(1, Body + 1000))
            .Packet(4_640_100, FromClient(Body + 1000, 1, 1000)).Packet(4_680_000, FromServer(1, Body + 2000))
            .Analyze().Findings.Single(found => found.Id is FindingIds.MtuBlackHole);
        Assert.Equal("Segments of 1460 bytes from the client do not arrive; those of 1000 bytes do.", finding.Title);
        Assert.Equal((4.56, confidence), (finding.SecondsLost, finding.Confidence)); // 80 ms, when the request was acknowledged, to 4640 ms
        Assert.Equal(("3", reports), (finding.Evidence[0].Value, finding.Evidence[2].Value));
        Assert.Equal(isReported ? 11 : 10, finding.Evidence[0].FirstPacket);
    }

    // The server answers keep-alives and gives up after a minute: it lives, and small packets pass.
    [Fact]
    public void FullSized_NeverArriving_IsABlackHoleWhereThePeerIsHeard()
    {
        MemoryTrace trace = Requested();
        Resend(trace, 1460, 400_000, 1_000_000, 2_200_000, 4_600_000);
        Assert.DoesNotContain(FindingIds.MtuBlackHole, Ids(trace));

        trace = Requested();
        Resend(trace, 1460, 400_000, 1_000_000, 2_200_000, 4_600_000);
        Assert.Contains(FindingIds.MtuBlackHole, Ids(trace.Packet(60_000_000, FromServer(1, Body, flags: FrameBuilder.Fin | FrameBuilder.Ack))));
    }

    // Right behind a request of 200 bytes, which is acknowledged, larger segments leave and never arrive: the server was alive when they were lost.
    [Theory]
    [InlineData(1460, FindingIds.MtuBlackHole)]
    [InlineData(200, FindingIds.DeadPeer)]
    public void FullSized_BehindASmallOneThatArrived_IsABlackHole(int size, string expected)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).WindowScale(7))
            .Packet(40_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).WindowScale(7))
            .Packet(40_010, FromClient(1, 1))
            .Packet(40_020, FromClient(1, 1, 200))
            .Packet(40_030, FromClient(Body, 1, size))
            .Packet(80_030, FromServer(1, Body));
        Resend(trace, size, 400_000, 1_000_000, 2_200_000, 4_600_000, 9_400_000);
        Assert.Equal([expected], Ids(trace).Where(id => id is FindingIds.MtuBlackHole or FindingIds.DeadPeer));
    }

    // Loss, however heavy: the segment arrives in the same size in the end.
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void FullSized_ArrivingInTheEnd_WasLost(int times)
    {
        MemoryTrace trace = Requested();
        long[] instants = [400_000, 1_000_000, 2_200_000];
        Resend(trace, 1460, instants[..times]);
        Assert.DoesNotContain(FindingIds.MtuBlackHole, Ids(trace.Packet(instants[times - 1] + 40_000, FromServer(1, Body + 1460))));
    }

    // Path MTU discovery as it should be: the report comes, and the sender obeys at once.
    [Fact]
    public void Report_ObeyedAtOnce_IsNoBlackHole() => Assert.DoesNotContain(FindingIds.MtuBlackHole, Ids(Requested()
        .Packet(105_000, TooBig(1400))
        .Packet(105_100, FromClient(Body, 1, 1360))
        .Packet(145_100, FromServer(1, Body + 1360))));

    // Full-sized segments arrived before; then one is lost twice by chance, and the rest of it is resent in two pieces.
    [Fact]
    public void FullSized_ThatHadArrived_NeedsMore()
    {
        MemoryTrace trace = Requested().Packet(140_100, FromServer(1, Body + 1460));
        foreach (long time in new[] { 400_000L, 1_000_000L })
        {
            trace.Packet(time, FromClient(Body + 1460, 1, 1460));
        }

        Assert.DoesNotContain(FindingIds.MtuBlackHole,
            Ids(trace.Packet(2_200_000, FromClient(Body + 1460, 1, 700)).Packet(2_240_000, FromServer(1, Body + 2160))));
    }

    // Small writes that are lost again and again say nothing of size.
    [Fact]
    public void SmallSegments_Lost_AreNoBlackHole()
    {
        MemoryTrace trace = Opened().Packet(100_000, FromClient(1, 1, 300));
        foreach (long time in new[] { 400_000L, 1_000_000L, 2_200_000L })
        {
            trace.Packet(time, FromClient(1, 1, 300));
        }

        Assert.DoesNotContain(FindingIds.MtuBlackHole, Ids(trace.Packet(4_600_000, FromClient(1, 1, 100)).Packet(4_640_000, FromServer(1, 101))));
    }

    static MemoryTrace Requested()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).WindowScale(7))
            .Packet(40_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).WindowScale(7))
            .Packet(40_010, FromClient(1, 1))
            .Packet(40_020, FromClient(1, 1, 200))
            .Packet(80_000, FromServer(1, Body));
        for (uint i = 0; i < 4; i++)
        {
            trace.Packet(100_000 + i, FromClient(Body + (i * 1460), 1, 1460));
        }

        return trace;
    }

    static void Resend(MemoryTrace trace, int size, params long[] instants)
    {
        foreach (long instant in instants)
        {
            trace.Packet(instant, FromClient(Body, 1, size));
        }
    }

    static FrameBuilder TooBig(ushort mtu) => new FrameBuilder().Ip("10.9.9.9", "10.0.0.1")
        .Icmp([3, 4, 0, 0, 0, 0, (byte)(mtu >> 8), (byte)mtu, .. FromClient(Body, 1, 1460).RawIp().Build().AsSpan(0, 28)]);

    static string[] Ids(MemoryTrace trace) => [.. trace.Analyze().Findings.Select(found => found.Id)];
}
