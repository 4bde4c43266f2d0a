using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>What stands out in the course of a connection, from packets. Packets 1–3 are the handshake; instants in microseconds.</summary>
public sealed class PatternTests
{
    const byte Ack = FrameBuilder.Ack;
    const byte Fin = FrameBuilder.Fin | FrameBuilder.Ack;

    [Fact]
    public void Calm_Connection_LeavesNoPatterns()
    {
        Connection connection = Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(50_000, FromServer(1, 101)).Analyze().Connections.Single();
        Assert.Null(connection.FromClient.Patterns);
        Assert.Null(connection.FromServer.Patterns);
    }

    // Story S4 in small: the client closes after 30 s, the server still sends, and is reset.
    [Fact]
    public void Close_WhileTheOtherEndSends_IsAnApplicationsTimeLimit()
    {
        TraceAnalysis analysis = Opened()
            .Packet(30_000, FromClient(1, 1, 100))
            .Packet(29_900_000, FromServer(1, 101, 1000))
            .Packet(30_020_200, FromClient(101, 1001, flags: Fin))
            .Packet(30_040_000, FromServer(1001, 101, 1000))
            .Packet(30_040_100, FromClient(102, 1001, flags: FrameBuilder.Rst))
            .Analyze();
        Connection connection = analysis.Connections.Single();
        Assert.Equal(new TracePosition(6, new TraceTime(30_020_200_000)), connection.FromClient.Patterns!.Fin);
        Assert.Equal(1, connection.FromClient.Patterns.Resets);
        Assert.Equal(1000, connection.FromServer.Patterns!.BytesAfterPeerFin);
        Finding finding = analysis.Findings.Single(found => found.Id is FindingIds.ApplicationTimeout);
        Assert.Equal("The client gave up after 30 s while the server was still sending: a time limit of the application.", finding.Title);
        Assert.DoesNotContain(analysis.Findings, found => found.Id is FindingIds.ResetByPeer);
    }

    [Fact]
    public void ZeroWindow_UntilReopened_IsTimed()
    {
        DirectionPatterns patterns = Opened()
            .Packet(30_000, FromClient(1, 1, 100))
            .Packet(50_000, FromServer(1, 101).Window(0))
            .Packet(250_000, FromClient(100, 1, 1)) // probe
            .Packet(270_000, FromServer(1, 101).Window(0))
            .Packet(550_000, FromServer(1, 101).Window(500))
            .Analyze().Connections.Single().FromClient.Patterns!;
        Assert.Equal(new TracePosition(5, new TraceTime(50_000_000)), patterns.ZeroWindow);
        Assert.Equal(500_000_000, patterns.ZeroWindowTime); // 50 to 550 ms
    }

    [Fact]
    public void ZeroWindow_NeverReopened_LastsToTheEnd()
    {
        DirectionPatterns patterns = Opened()
            .Packet(30_000, FromClient(1, 1, 100))
            .Packet(50_000, FromServer(1, 101).Window(0))
            .Packet(90_000, FromServer(1, 101).Window(0))
            .Analyze().Connections.Single().FromClient.Patterns!;
        Assert.Equal(40_000_000, patterns.ZeroWindowTime);
    }

    // Story S2: the sender does not believe the acknowledgments; four rounds, then a reset.
    [Fact]
    public void PingPong_OfResendsAndDuplicateAcks_IsCountedToTheReset()
    {
        MemoryTrace trace = Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(30_100, FromClient(101, 1, 100)).Packet(50_000, FromServer(1, 101));
        for (int round = 0; round < 4; round++)
        {
            long time = 300_000 + (round * 300_000);
            trace.Packet(time, FromClient(1, 1, 100)).Packet(time + 20_000, FromServer(1, 101));
        }

        trace.Packet(2_000_000, FromServer(1, 101, flags: FrameBuilder.Rst | Ack));
        TraceAnalysis analysis = trace.Analyze();
        DirectionPatterns patterns = analysis.Connections.Single().FromClient.Patterns!;
        Assert.Equal((4, 4), (patterns.LongestPingPong, patterns.FinalPingPong));
        Assert.Equal(7, patterns.PingPong!.Value.Packet);
        Assert.Equal(FindingSeverity.Critical, analysis.Findings.Single(found => found.Id is FindingIds.SpuriousDupackPingpong).Severity);
    }

    // Each of 68 bytes: behind timestamps the SACK blocks, which would say what arrived, are cut off.
    [Theory]
    [InlineData(int.MaxValue, 4)]
    [InlineData(68, 0)]
    public void PingPong_OfAcksWhoseSacksAreCutOff_IsNotKnown(int cutTo, int expected)
    {
        MemoryTrace trace = Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(30_100, FromClient(101, 1, 100)).Packet(50_000, Sacked(), cutTo: cutTo);
        for (int round = 0; round < 4; round++)
        {
            long time = 300_000 + (round * 300_000);
            trace.Packet(time, FromClient(1, 1, 100)).Packet(time + 20_000, Sacked(), cutTo: cutTo);
        }

        Assert.Equal(expected, trace.Analyze().Connections.Single().FromClient.Patterns!.LongestPingPong);

        static FrameBuilder Sacked() => FromServer(1, 1).Timestamps(7, 0).Sack(unchecked(ClientIsn + 101), unchecked(ClientIsn + 201));
    }

    [Fact]
    public void PingPong_NewDataBetween_EndsTheRun()
    {
        DirectionPatterns patterns = Opened()
            .Packet(30_000, FromClient(1, 1, 100))
            .Packet(30_100, FromClient(101, 1, 100))
            .Packet(50_000, FromServer(1, 101))
            .Packet(300_000, FromClient(1, 1, 100)).Packet(320_000, FromServer(1, 101))
            .Packet(330_000, FromClient(201, 1, 100))
            .Packet(600_000, FromClient(1, 1, 100)).Packet(620_000, FromServer(1, 101))
            .Analyze().Connections.Single().FromClient.Patterns!;
        Assert.Equal((1, 1), (patterns.LongestPingPong, patterns.FinalPingPong));
    }

    // Four segments in a row that had arrived, each answered: a sender that took reordering for loss, not one that does not believe.
    [Fact]
    public void PingPong_OfOneSegmentAfterTheOther_IsNone()
    {
        MemoryTrace trace = Opened();
        for (uint i = 0; i < 6; i++)
        {
            trace.Packet(30_000 + (i * 10), FromClient(1 + (i * 100), 1, 100));
        }

        trace.Packet(50_000, FromServer(1, 501));
        for (uint i = 0; i < 4; i++)
        {
            trace.Packet(60_000 + (i * 1000), FromClient(1 + (i * 100), 1, 100)).Packet(60_500 + (i * 1000), FromServer(1, 501));
        }

        Assert.Equal(1, trace.Analyze().Connections.Single().FromClient.Patterns!.LongestPingPong);
    }

    [Fact]
    public void Port_UsedAgainAtOnce_AndTheSynResent_IsFound()
    {
        TraceAnalysis analysis = Opened()
            .Packet(30_000, FromClient(1, 1, flags: Fin))
            .Packet(50_000, FromServer(1, 2, flags: Fin))
            .Packet(70_000, FromClient(2, 2))
            .Packet(100_000, FromClient(500_000, 0, flags: FrameBuilder.Syn).AckNumber(0))
            .Packet(1_100_000, FromClient(500_000, 0, flags: FrameBuilder.Syn).AckNumber(0))
            .Analyze();
        Assert.Equal(2, analysis.Connections.Count);
        Assert.Contains(analysis.Findings, found => found.Id is FindingIds.PortReuse && found.Connection == analysis.Connections[1]);
    }
}
