using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Which resets end a connection: those in the window, unless the connection goes on (RFC 9293 §3.10.7.4). The window is 1000 bytes.</summary>
public sealed class ResetTests
{
    const byte Rst = FrameBuilder.Rst;

    // The client is at 1 (101 once it sent data), the server's window reaches 1000 further, and as far back for what it had granted before.
    [Theory]
    [InlineData(101, ConnectionEnd.Rst)]
    [InlineData(1_101, ConnectionEnd.Rst)]
    [InlineData(1_102, ConnectionEnd.Open)]
    [InlineData(0x3000_0000, ConnectionEnd.Open)]
    [InlineData(0xFFFF_FC19, ConnectionEnd.Rst)] // 1 - 1000
    [InlineData(0xFFFF_FC18, ConnectionEnd.Open)]
    public void Reset_InTheWindow_EndsTheConnection(uint sequence, ConnectionEnd expected)
    {
        TraceAnalysis analysis = Opened()
            .Packet(30_000, FromServer(1, 1))
            .Packet(30_100, FromClient(1, 1, 100))
            .Packet(40_000, FromClient(sequence, 0, flags: Rst))
            .Analyze();
        Assert.Equal(expected, analysis.Connections.Single().End);
    }

    // A forged reset and three seconds of silence; other traffic goes on meanwhile.
    [Fact]
    public void Reset_OutsideTheWindow_IsToldAndChangesNothing()
    {
        MemoryTrace trace = Opened()
            .Packet(30_000, FromClient(1, 1, 100))
            .Packet(50_000, FromServer(1, 101))
            .Packet(60_000, FromServer(987_654_321, 0, flags: Rst))
            .Packet(2_500_000, FromClient(1, 1).Tcp(50_001, 443))
            .Packet(5_000_000, FromClient(101, 1, 100))
            .Packet(5_020_000, FromServer(1, 201));
        TraceAnalysis analysis = trace.Analyze();
        Connection connection = analysis.Connections[0];
        Assert.Equal(ConnectionEnd.Open, connection.End);
        Assert.Equal(4_990_000_000, connection.FromClient.ActiveTime);
        Assert.Equal(200, connection.FromClient.UniqueBytes);
        Finding finding = analysis.Findings.Single(found => found.Id is FindingIds.ResetByPeer);
        Assert.Equal("A reset in the name of the server has a number outside the window: nobody accepts it.", finding.Title);
        Assert.Equal(6, finding.Evidence[0].FirstPacket);
    }

    [Theory]
    [InlineData(101, ConnectionEnd.Rst)] // acknowledged what had been sent before
    [InlineData(201, ConnectionEnd.Open)]
    public void Reset_AndDataSentBehindItAcknowledged_IsNoEnd(uint acknowledged, ConnectionEnd expected)
    {
        TraceAnalysis analysis = Opened()
            .Packet(30_000, FromClient(1, 1, 100))
            .Packet(40_000, FromServer(1, 0, flags: Rst))
            .Packet(41_000, FromClient(101, 1, 100))
            .Packet(61_000, FromServer(1, acknowledged))
            .Analyze();
        Assert.Equal(expected, analysis.Connections.Single().End);
    }

    // The server sends 2920 bytes or less, of which nothing is acknowledged. Its own reset breaks them off. One in the client's name may be a program's that
    // has enough, unless it has no acknowledgment, as no program has it sent.
    [Theory]
    [InlineData(false, Rst | FrameBuilder.Ack, 1460, FindingSeverity.Critical)]
    [InlineData(false, Rst | FrameBuilder.Ack, 1459, FindingSeverity.Note)]
    [InlineData(true, Rst, 1460, FindingSeverity.Critical)]
    [InlineData(true, Rst | FrameBuilder.Ack, 1460, FindingSeverity.Note)]
    public void Reset_OfDataUnderWay_BreaksTheTransferOff(bool isClient, byte flags, int second, FindingSeverity expected)
    {
        Finding finding = Answered(second).Packet(50_000, isClient ? FromClient(101, 1, flags: flags) : FromServer(1461 + (uint)second, 101, flags: flags))
            .Analyze().Findings.Single(found => found.Id is FindingIds.ResetByPeer);
        Assert.Equal((expected, expected == FindingSeverity.Critical, expected == FindingSeverity.Note),
            (finding.Severity, finding.IsBreakOff, finding.IsDescription));
    }

    // At the client all has been acknowledged. What was on its way back then is answered by further resets.
    [Theory]
    [InlineData(3, FindingSeverity.Critical)]
    [InlineData(2, FindingSeverity.Note)]
    public void Resets_AnsweringAcknowledgments_BreakTheTransferOff(int resets, FindingSeverity expected)
    {
        MemoryTrace trace = Answered(1460).Packet(31_000, FromClient(101, 2921));
        for (int i = 0; i < resets; i++)
        {
            trace.Packet(50_000 + (i * 100), FromServer(2921, 0, flags: Rst));
        }

        Assert.Equal(expected, trace.Analyze().Findings.Single(found => found.Id is FindingIds.ResetByPeer).Severity);
    }

    // It stands in front of what cost time.
    [Fact]
    public void BreakOff_ComesFirst()
    {
        Finding broken = Answered(1460).Packet(50_000, FromServer(2921, 101, flags: Rst | FrameBuilder.Ack)).Analyze().Findings[0];
        Finding slow = broken with { Id = FindingIds.PathLoss, IsBreakOff = false, SecondsLost = 100 };
        Assert.Equal([broken, slow], FindingOrder.Sorted([slow, broken]));
    }

    // The client closed and then refuses what still comes.
    [Fact]
    public void Reset_BehindAFin_IsANote() => Assert.Equal(FindingSeverity.Note, Answered(1460)
        .Packet(49_000, FromClient(101, 1, flags: FrameBuilder.Fin | FrameBuilder.Ack))
        .Packet(50_000, FromClient(102, 0, flags: Rst))
        .Analyze().Findings.Single(found => found.Id is FindingIds.ResetByPeer).Severity);

    // The server still holds the connection before in TIME_WAIT: it answers the SYN for that one, and is reset for it.
    [Fact]
    public void AnswerOfAnEarlierConnection_BeforeTheHandshake_CountsForNothing()
    {
        TraceAnalysis analysis = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460))
            .Packet(20_000, FromServer(900_000, 30_001))
            .Packet(20_100, FromClient(30_001, 0, flags: Rst))
            .Packet(1_000_000, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460))
            .Packet(1_020_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460))
            .Packet(1_020_100, FromClient(1, 1))
            .Packet(1_030_000, FromClient(1, 1, 100))
            .Packet(1_050_000, FromServer(1, 101))
            .Analyze();
        Connection connection = analysis.Connections.Single();
        Assert.Equal(ConnectionEnd.Open, connection.End);
        Assert.True(connection.IsHandshakeComplete);
        Assert.Equal(0, connection.FromClient.UnseenBytes);
        Assert.Equal(0, connection.FromServer.UnseenBytes);
        Assert.Equal(0, connection.FromServer.OutOfOrder);
        Assert.DoesNotContain(analysis.Findings, finding => finding.Id is FindingIds.ResetByPeer or FindingIds.CaptureIncomplete);
    }

    // A request of 100 bytes, and two segments of the answer.
    static MemoryTrace Answered(int second) => Opened()
        .Packet(30_000, FromClient(1, 1, 100))
        .Packet(30_100, FromServer(1, 101, 1460))
        .Packet(30_200, FromServer(1461, 101, second));
}
