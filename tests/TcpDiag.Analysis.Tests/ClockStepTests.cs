using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>
/// The recording clock is set in the midst of a transfer: twenty bursts of four segments, each acknowledged 20 ms later, the next one 0.1 ms behind that.
/// </summary>
public sealed class ClockStepTests
{
    const int Rounds = 20;
    const long Round = 20_100; // µs
    const long Hour = 3_600_000_000; // µs

    // Set between burst 10 and its acknowledgment: the 20 ms in which that happened are not known, and count as nothing.
    [Theory]
    [InlineData(Hour, "forward")]
    [InlineData(-Hour, "back")]
    public void Step_WithDataInFlight_IsToldAndCutOut(long step, string direction)
    {
        TraceAnalysis analysis = Transfer(step).Analyze();
        ConnectionDirection sent = analysis.Connections.Single().FromClient;
        Assert.Equal($"The clock of the recording machine went {direction} by 3600 s at once.",
            analysis.Findings.Single(finding => finding.Id is FindingIds.ClockStep).Title);
        Assert.Equal(((Rounds * Round) - 100 - 20_000) * 1000, sent.ActiveTime);
        Assert.Equal(sent.ActiveTime, sent.Limits?.Times.Total);
        Assert.InRange(sent.Rtt.P95, 20_000_000, 20_700_000);
        Assert.Equal((Round + 100) * 1000, sent.Limits?.Times.In(LimitState.NotJudged)); // up to burst 12, which follows an acknowledgment again
        Assert.Equal((30_000 * 1000) + (sent.ActiveTime ?? 0), analysis.End - analysis.Start);
    }

    [Fact]
    public void Step_WithTimestampsThatStoodStill_IsToldWithNothingInFlight()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(1, 1, 100).Timestamps(1000, 1))
            .Packet(20_000, FromServer(1, 101).Timestamps(7, 1000))
            .Packet(Hour + 20_000, FromClient(101, 1, 100).Timestamps(1030, 7));
        Finding finding = trace.Analyze().Findings.Single(found => found.Id is FindingIds.ClockStep);
        Assert.Equal("3600 s, at packet 3", finding.Evidence[0].Value);
    }

    // The timestamp clock went on; nobody waited for anything; the data was sent again; a connection that begins behind it knows nothing of it; a SYN may be
    // answered so late.
    [Fact]
    public void Pause_IsNoStep()
    {
        AssertNoStep(new MemoryTrace()
            .Packet(0, FromClient(1, 1, 100).Timestamps(1000, 1))
            .Packet(20_000, FromServer(1, 101).Timestamps(7, 1000))
            .Packet(Hour, FromClient(101, 1, 100).Timestamps(3_601_000, 7)));
        AssertNoStep(Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(50_000, FromServer(1, 101)).Packet(Hour, FromClient(101, 1, 100)).Packet(Hour
            + 20_000, FromServer(1, 201)));
        AssertNoStep(Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(Hour, FromClient(1, 1, 100)).Packet(Hour + 20_000, FromServer(1, 101)));
        AssertNoStep(Opened().Packet(Hour, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Tcp(50_001, 443).Timestamps(5, 0)).Packet(Hour + 20_000,
            FromClient(1, 1).Tcp(50_001, 443).Timestamps(5, 9)));
        AssertNoStep(new MemoryTrace().Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0)).Packet(3_000_000,
            FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack)));
    }

    // Each interface has a queue of its own.
    [Fact]
    public void Disorder_OfAnotherInterface_IsNoStep() => AssertNoStep(Opened()
        .Packet(2_900_000, FromClient(1, 1, 100))
        .Packet(1_000_000, FromClient(1, 1, 100).Tcp(50_001, 443), interfaceIndex: 1));

    // An acknowledgment of what the client had sent by then may wait in a queue; one of the data that stands behind it cannot.
    [Fact]
    public void Disorder_OfASecond_IsNoStep()
    {
        AssertNoStep(Opened().Packet(2_000_000, FromClient(1, 1, 100)).Packet(1_000_000, FromServer(1, 1)));
        Assert.Contains(Opened().Packet(2_000_000, FromClient(1, 1, 100)).Packet(1_000_000, FromServer(1, 101)).Analyze().Findings,
            found => found.Id is FindingIds.ClockStep);
    }

    // The clock goes back in a round trip of 20 ms: the acknowledgment stands before its data by the step less 20 ms. Less than 50 ms may be a queue of the
    // capture.
    [Theory]
    [InlineData(-500_000, "480 ms")]
    [InlineData(-80_000, "60.0 ms")]
    [InlineData(-69_000, null)]
    public void StepBack_OfLessThanASecond_IsFoundByWhatIsAcknowledgedBeforeItWasSent(long step, string? told)
    {
        TraceAnalysis analysis = Transfer(step).Analyze();
        Finding? finding = analysis.Findings.SingleOrDefault(found => found.Id is FindingIds.ClockStep);
        Assert.Equal(told is null, finding is null);
        if (finding is not null)
        {
            Assert.StartsWith($"{told}, at packet", finding.Evidence[0].Value, System.StringComparison.Ordinal);
            Assert.Equal("clock back", finding.Evidence[0].Measure);
            ConnectionDirection sent = analysis.Connections.Single().FromClient;
            Assert.Equal(((Rounds * Round) - 100 - 20_000) * 1000, sent.ActiveTime);
            Assert.Equal(sent.ActiveTime, sent.Limits?.Times.Total);
            Assert.InRange(sent.Rtt.P95, 20_000_000, 20_700_000);
        }
    }

    // Packets of another queue of the capture come 300 ms late, in their order and with the times they had: nothing in them acknowledges what came after
    // them. Nor does an acknowledgment of data that was sent again, which may be that of its first sending.
    [Fact]
    public void Disorder_OfAWholeQueue_IsNoStep()
    {
        AssertNoStep(Opened()
            .Packet(400_000, FromClient(1, 1, 100)).Packet(420_000, FromServer(1, 101)).Packet(421_000, FromClient(101, 1, 100))
            .Packet(100_000, FromServer(1, 1)).Packet(110_000, FromClient(1, 1)).Packet(120_000, FromServer(1, 101)).Packet(441_000, FromServer(1, 201)));
        AssertNoStep(Opened()
            .Packet(30_000, FromClient(1, 1, 100)).Packet(330_000, FromClient(1, 1, 100)).Packet(50_000, FromServer(1, 101)));
    }

    // A packet that comes 300 ms late is forgotten with the next one in order: the step that follows is as large as it is, 100 ms from the data to its
    // acknowledgment.
    [Fact]
    public void StepBack_BehindDisorder_HasItsOwnSize()
    {
        TraceAnalysis analysis = Opened()
            .Packet(400_000, FromClient(1, 1, 100)).Packet(100_000, FromServer(1, 1)).Packet(420_000, FromServer(1, 101))
            .Packet(421_000, FromClient(101, 1, 100)).Packet(321_000, FromServer(1, 201)).Analyze();
        Finding finding = analysis.Findings.Single(found => found.Id is FindingIds.ClockStep);
        Assert.Equal("100 ms, at packet 8", finding.Evidence[0].Value);
    }

    // A broadcast comes first behind the step, the one that knows comes later.
    [Fact]
    public void Step_BehindOtherTraffic_IsFound()
    {
        MemoryTrace trace = Opened()
            .Packet(30_000, FromClient(1, 1, 100))
            .Packet(Hour, new FrameBuilder().Ip("10.0.0.9", "10.0.0.255").Udp(137, 137))
            .Packet(Hour + 1000, FromServer(1, 101));
        TraceAnalysis analysis = trace.Analyze();
        Assert.Contains(analysis.Findings, finding => finding.Id is FindingIds.ClockStep);
        Assert.Equal(31_000_000, analysis.End - analysis.Start);
    }

    // What another interface had queued before the clock was set back is no silence.
    [Fact]
    public void PacketsQueuedBeforeTheStep_KeepTheirTime()
    {
        TraceAnalysis analysis = Opened()
            .Packet(2_900_000, FromClient(1, 1, 100))
            .Packet(2_800_000, FromClient(1, 1, 100).Tcp(50_001, 443), interfaceIndex: 1)
            .Packet(-8_000_000, FromServer(1, 101))
            .Packet(2_910_000, FromClient(101, 1, 100).Tcp(50_001, 443), interfaceIndex: 1)
            .Analyze();
        Assert.Single(analysis.Findings, finding => finding.Id is FindingIds.ClockStep);
        Assert.Equal(2_910_000_000, analysis.End - analysis.Start);
    }

    static void AssertNoStep(MemoryTrace trace) => Assert.DoesNotContain(trace.Analyze().Findings, finding => finding.Id is FindingIds.ClockStep);

    static MemoryTrace Transfer(long step)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460))
            .Packet(20_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460))
            .Packet(20_100, FromClient(1, 1));
        for (uint i = 0; i < Rounds; i++)
        {
            long time = 30_000 + (i * Round);
            for (uint segment = 0; segment < 4; segment++)
            {
                trace.Packet(time + (i > 10 ? step : 0), FromClient(1 + (((i * 4) + segment) * 1460), 1, 1460).Window(65535));
            }

            trace.Packet(time + 20_000 + (i >= 10 ? step : 0), FromServer(1, 1 + ((i + 1) * 4 * 1460)).Window(65535));
        }

        return trace;
    }
}
