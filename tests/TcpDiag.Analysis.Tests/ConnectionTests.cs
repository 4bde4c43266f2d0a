using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Which packets make one connection, who is the client, how it opened and ended.</summary>
public sealed class ConnectionTests
{
    const byte Syn = FrameBuilder.Syn;
    const byte Ack = FrameBuilder.Ack;
    const byte Fin = FrameBuilder.Fin | FrameBuilder.Ack;
    const byte Rst = FrameBuilder.Rst | FrameBuilder.Ack;

    [Fact]
    public void Handshake_SynSynAckAck_IsCompleteWithItsRtt()
    {
        Connection connection = Opened().Analyze().Connections.Single();
        Assert.True(connection.IsHandshakeComplete);
        Assert.Equal("10.0.0.1:50000", connection.Client.ToString());
        Assert.Equal("10.0.0.2:443", connection.Server.ToString());
        Assert.Equal(20_100_000, connection.HandshakeRtt);
        Assert.Equal(0, connection.SynRetransmissions);
        Assert.Equal(1460, connection.FromClient.Mss);
        Assert.Equal(2, connection.FromClient.Packets);
        Assert.Equal(1, connection.FromServer.Packets);
        Assert.Equal(ConnectionEnd.Open, connection.End);
    }

    // Multipath TCP (RFC 8684, kind 30) is offered and not answered.
    [Fact]
    public void Handshake_Options_AreKeptPerDirection()
    {
        Connection connection = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).Mss(1460).SackPermitted().TcpOption(30, 0x01, 0x01))
            .Packet(100, FromServer(0, 1, flags: Syn | Ack).Mss(1400))
            .Analyze().Connections.Single();
        Assert.Equal(
            TcpOptionKinds.MaximumSegmentSize | TcpOptionKinds.SackPermitted | TcpOptionKinds.Multipath,
            connection.FromClient.SynOptions);
        Assert.Equal(TcpOptionKinds.MaximumSegmentSize, connection.FromServer.SynOptions);
    }

    [Fact]
    public void Handshake_NotCaptured_LeavesTheOptionsUnknown() =>
        Assert.Null(new MemoryTrace().Packet(0, FromClient(1, 1, 100)).Analyze().Connections.Single().FromClient.SynOptions);

    [Fact]
    public void Handshake_TimestampsOnBothSides_TakeTwelveBytesOfTheMss()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).Mss(1460).Timestamps(1, 0))
            .Packet(100, FromServer(0, 1, flags: Syn | Ack).Mss(1400).Timestamps(1, 1));
        Assert.Equal(1400 - 12, trace.Analyze().Connections.Single().FromClient.Mss);
    }

    [Fact]
    public void Syn_SentAgain_IsCountedAndTheRttLeftOut()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn))
            .Packet(1_000_000, FromClient(0, 0, flags: Syn))
            .Packet(1_000_100, FromServer(0, 1, flags: Syn | Ack))
            .Packet(1_020_000, FromClient(1, 1));
        Connection connection = trace.Analyze().Connections.Single();
        Assert.Equal(1, connection.SynRetransmissions);
        Assert.True(connection.IsHandshakeComplete);
        Assert.Null(connection.HandshakeRtt);
        Assert.Equal(0, connection.FromClient.Retransmissions);
    }

    // The SYN-ACK echoes the second SYN: 40 ms to the server and back, and 0.1 ms to the client. Where both have the same timestamp it may answer either.
    [Theory]
    [InlineData(1200, 40_100_000L)]
    [InlineData(200, null)]
    public void Syn_SentAgain_IsTimedByItsEcho(uint second, long? rtt)
    {
        Connection connection = SentAgain(second).Analyze().Connections.Single();
        Assert.Equal((rtt, 1_040_100_000), (connection.HandshakeRtt, connection.ConnectTime));
        Assert.Equal(Vantage.Client, connection.Vantage); // nearly all of the way lies between the capture and the server, whichever was answered
    }

    // Then 10 full segments go out, and another 10 when they are acknowledged: 80 ms of active time, which begins when the connection has opened.
    [Theory]
    [InlineData(1200)]
    [InlineData(200)]
    public void Limits_BehindASynSentAgain_AreTold(uint second)
    {
        MemoryTrace trace = SentAgain(second);
        for (uint i = 0; i < 20; i++)
        {
            _ = i == 10 ? trace.Packet(1_090_000, FromServer(1, 14_481).Window(60_000).Timestamps(960, 1250)) : trace;
            _ = trace.Packet(1_050_000 + (40_050 * (i / 10)) + (i % 10), FromClient(1 + (i * 1448), 1, 1448).Timestamps(1250 + (40 * (i / 10)), 900));
        }

        TraceAnalysis analysis = trace.Packet(1_130_000, FromServer(1, 28_961).Window(60_000).Timestamps(1000, 1290)).Analyze();
        ConnectionDirection upload = analysis.Connections.Single().FromClient;
        Assert.Equal(80_000_000, upload.ActiveTime);
        Assert.Equal(80_000_000, upload.Limits!.Times.Total);
        Assert.Equal(80_000_000, upload.Limits.Times.In(LimitState.CongestionWindow));
        Assert.Contains(analysis.Findings, found => found is { Id: FindingIds.SynRetransmitted, SecondsLost: > 1.04 and < 1.05 });
    }

    static MemoryTrace SentAgain(uint second) => new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: Syn).Mss(1460).WindowScale(0).SackPermitted().Timestamps(200, 0))
        .Packet(1_000_000, FromClient(0, 0, flags: Syn).Mss(1460).WindowScale(0).SackPermitted().Timestamps(second, 0))
        .Packet(1_040_000, FromServer(0, 1, flags: Syn | Ack).Mss(1460).WindowScale(0).SackPermitted().Window(60_000).Timestamps(900, second))
        .Packet(1_040_100, FromClient(1, 1).Timestamps(1240, 900));

    [Theory]
    [InlineData(false)] // still open
    [InlineData(true)] // closed
    public void Syn_WithAnotherSequenceNumber_IsAnotherConnection(bool isClosed)
    {
        MemoryTrace trace = Opened();
        if (isClosed)
        {
            trace.Packet(30_000, FromClient(1, 1, flags: Fin)).Packet(30_100, FromServer(1, 2, flags: Fin)).Packet(30_200, FromClient(2, 2));
        }

        trace.Packet(40_000, FromClient(100_000, 0, flags: Syn)).Packet(40_100, FromServer(500_000, 100_001, flags: Syn | Ack));
        TraceAnalysis analysis = trace.Analyze();
        Assert.Equal([isClosed ? ConnectionEnd.Fin : ConnectionEnd.Open, ConnectionEnd.Open], analysis.Connections.Select(c => c.End));
        Assert.Equal(1, analysis.Connections[1].FromClient.Packets);
    }

    [Fact]
    public void Syn_FromBothEnds_IsOneConnectionOfWhoSentFirst()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromServer(0, 0, flags: Syn))
            .Packet(10, FromClient(0, 0, flags: Syn))
            .Packet(100, FromServer(0, 1, flags: Syn | Ack))
            .Packet(110, FromClient(0, 1, flags: Syn | Ack));
        Connection connection = trace.Analyze().Connections.Single();
        Assert.Equal(443, connection.Client.Port);
        Assert.Equal(2, connection.FromServer.Packets);
    }

    [Fact]
    public void Refused_AndTriedAgainWithTheSameNumber_IsOneConnection()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn))
            .Packet(100, FromServer(0, 1, flags: Rst))
            .Packet(500_000, FromClient(0, 0, flags: Syn))
            .Packet(500_100, FromServer(0, 1, flags: Rst));
        Connection connection = trace.Analyze().Connections.Single();
        Assert.Equal(ConnectionEnd.Rst, connection.End);
        Assert.Equal(1, connection.SynRetransmissions);
    }

    [Fact]
    public void NoSyn_ClientIsTheHigherPort()
    {
        Connection connection = new MemoryTrace().Packet(0, FromServer(1, 1, 100)).Analyze().Connections.Single();
        Assert.Equal(50000, connection.Client.Port);
        Assert.False(connection.IsHandshakeComplete);
    }

    [Fact]
    public void End_OneFin_IsOpen_TwoAreFin_ResetIsRst()
    {
        Assert.Equal(ConnectionEnd.Open, Opened().Packet(1, FromClient(1, 1, flags: Fin)).Analyze().Connections[0].End);
        Assert.Equal(ConnectionEnd.Fin, Opened().Packet(1, FromClient(1, 1, flags: Fin)).Packet(2, FromServer(1, 2, flags: Fin)).Analyze().Connections[0].End);
        Assert.Equal(ConnectionEnd.Rst, Opened().Packet(1, FromClient(1, 1, flags: Fin)).Packet(2, FromServer(1, 2, flags: Rst)).Analyze().Connections[0].End);
    }

    // Resent at 1, 3 and 7 s: the next would come at 15 s. Another connection's packet tells that the trace went on.
    [Theory]
    [InlineData(14_000_000, ConnectionEnd.Open)]
    [InlineData(25_000_000, ConnectionEnd.Timeout)]
    public void End_UnansweredRetransmissions_IsTimeoutOnceTheNextIsOverdue(long traceEnd, ConnectionEnd expected)
    {
        MemoryTrace trace = Opened();
        foreach (long time in new long[] { 100_000, 1_000_000, 3_000_000, 7_000_000 })
        {
            trace.Packet(time, FromClient(1, 1, 100));
        }

        trace.Packet(traceEnd, FromClient(1, 1).Tcp(50001, 443));
        Connection connection = trace.Analyze().Connections[0];
        Assert.Equal(3, connection.FromClient.Retransmissions);
        Assert.Equal(expected, connection.End);
    }

    // Two follow each other again and again, until the second is reset at 20 s, as is a third. A fourth opens at 23 s: both are folded, and it takes the
    // place of the third. What comes of the second at 24 s is counted to its result, though it follows the first as ever; and what comes at 25 s follows the
    // first in its stead.
    [Fact]
    public void Packets_InTheSameOrder_AreOfTheirConnections()
    {
        var trace = new MemoryTrace();
        for (int second = 0; second < 20; second++)
        {
            trace.Packet(second * 1_000_000L, FromPort(50001)).Packet((second * 1_000_000L) + 10, FromServer(1, 1).Tcp(443, 50002));
        }

        Connection[] connections = [.. trace.Packet(20_000_000, FromPort(50002).Flags(Rst)).Packet(20_000_010, FromPort(50003).Flags(Rst))
            .Packet(23_000_000, FromPort(50004).Flags(Syn))
            .Packet(24_000_000, FromPort(50001)).Packet(24_000_010, FromPort(50002))
            .Packet(25_000_000, FromPort(50001)).Packet(25_000_010, FromPort(50004))
            .Analyze().Connections];
        Assert.Equal([22, 22, 1, 2], connections.Select(connection => connection.FromClient.Packets + connection.FromServer.Packets));
        Assert.Equal([ConnectionEnd.Open, ConnectionEnd.Rst, ConnectionEnd.Rst, ConnectionEnd.Open], connections.Select(connection => connection.End));

        static FrameBuilder FromPort(ushort port) => FromClient(1, 1).Tcp(port, 443);
    }

    // What comes three seconds after the end is late, and no retransmission: whether or not another connection opened in between.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Data_LongAfterTheEnd_IsLateWhateverOthersDo(bool another)
    {
        MemoryTrace trace = Opened().Packet(1_000, FromClient(1, 1, 100)).Packet(21_000, FromServer(1, 101)).Packet(22_000, FromServer(1, 101).Flags(Rst));
        if (another)
        {
            trace.Packet(2_900_000, FromClient(0, 0, flags: Syn).Tcp(50001, 443));
        }

        ConnectionDirection sent = trace.Packet(3_100_000, FromClient(1, 1, 100)).Analyze().Connections[0].FromClient;
        Assert.Equal((4, 200L, 0L), (sent.Packets, sent.PayloadBytes, sent.Retransmissions));
    }

    // After two seconds of silence the connection is folded when the next one opens; its late packets still count.
    [Fact]
    public void LatePackets_AfterFolding_AreCountedToTheirConnection()
    {
        MemoryTrace trace = Opened()
            .Packet(30_000, FromClient(1, 1, flags: Rst))
            .Packet(5_000_000, FromClient(1, 1, 10).Tcp(50001, 443))
            .Packet(6_000_000, FromServer(1, 2, 70));
        TraceAnalysis analysis = trace.Analyze();
        Assert.Equal(2, analysis.Connections.Count);
        Assert.Equal(2, analysis.Connections[0].FromServer.Packets);
        Assert.Equal(70, analysis.Connections[0].FromServer.PayloadBytes);
        Assert.Equal(6_000_000_000, analysis.Connections[0].Last.Nanoseconds);
    }

    [Fact]
    public void Name_LookedUpInTheTrace_IsTheServers()
    {
        byte[] answer = System.Convert.FromHexString(
            "123481800001000100000000" + "03777777076578616D706C65036F726700" + "00010001" + "C00C000100010000003C00040A000002");
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, new FrameBuilder().Ip("10.0.0.53", "10.0.0.1").Udp(53, 40000).Payload(answer))
            .Packet(10, FromClient(0, 0, flags: Syn));
        Assert.Equal("www.example.org", trace.Analyze().Connections.Single().ServerName);
    }
}
