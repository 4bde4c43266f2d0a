using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>Marks of congestion (RFC 3168): counted, and what they cost. Instants in microseconds.</summary>
public sealed class EcnTests
{
    const byte Ack = FrameBuilder.Ack, Syn = FrameBuilder.Syn, Ece = FrameBuilder.Ece, Cwr = FrameBuilder.Cwr;

    // Three of six segments are marked, each acknowledgment echoes that until the sender says that it has reduced its window.
    [Fact]
    public void Marks_AreCountedWithTheirEchoes()
    {
        MemoryTrace trace = Opened(Syn | Ece | Cwr, Syn | Ack | Ece);
        for (uint i = 0; i < 6; i++)
        {
            trace.Packet(30_000 + i, FromClient(1 + (i * 1000), 1, 1000).Ecn(i is > 0 and < 4 ? (byte)3 : (byte)2));
        }

        Connection connection = trace
            .Packet(30_100, FromServer(1, 2001, flags: Ack | Ece))
            .Packet(30_200, FromServer(1, 6001, flags: Ack | Ece))
            .Packet(50_000, FromClient(6001, 1, 1000, Ack | Cwr).Ecn(2))
            .Packet(50_100, FromServer(1, 7001))
            .Analyze().Connections.Single();
        Assert.Equal(new EcnSummary(EcnUse.Classic, 3, 2, 1), connection.FromClient.Ecn);
        Assert.Equal(new EcnSummary(EcnUse.Classic, 0, 0, 0), connection.FromServer.Ecn);
        Assert.Equal(12, connection.FromClient.Patterns!.Reduction!.Value.Packet);
        Assert.Equal(connection.FromClient.Patterns.Reduction, connection.FromClient.Patterns.LastReduction);
    }

    // RFC 9768 §3.1.1, table 2.
    [Theory]
    [InlineData(Syn, Syn | Ack, null)]
    [InlineData(Syn | Ece | Cwr, Syn | Ack, null)]
    [InlineData(Syn | Ece | Cwr, Syn | Ack | Ece, EcnUse.Classic)]
    [InlineData(Syn | Ece | Cwr, Syn | Ack | Ece | Cwr, null)] // a server that reflects what it does not know
    public void Use_IsWhatBothSynsAgreeUpon(byte asked, byte answered, EcnUse? use) =>
        Assert.Equal(use, Opened(asked, answered).Packet(30_000, FromClient(1, 1, 100)).Analyze().Connections.Single().FromClient.Ecn?.Use);

    // Nobody agreed upon anything, and yet a packet is marked.
    [Fact]
    public void Mark_WithoutAgreement_IsCounted() => Assert.Equal(
        new EcnSummary(EcnUse.Off, 1, 0, 0),
        Opened(Syn, Syn | Ack).Packet(30_000, FromClient(1, 1, 100).Ecn(3)).Analyze().Connections.Single().FromClient.Ecn);

    // Peak: 400 kB per 40 ms = 80 Mbit/s; used 8 Mbit/s: nine tenths of 9 s are lost.
    [Fact]
    public void Marks_ThatKeepTheWindowSmall_AreTheCause()
    {
        Finding finding = Single(Marked(9));
        Assert.Equal((FindingIds.EcnMarks, 8.6), (finding.Id, System.Math.Round(finding.SecondsLost!.Value, 3)));
        Assert.Equal("A queue on the path marked packets of the upload (ECN), and the client reduced its congestion window 12 times.", finding.Title);
    }

    [Fact]
    public void Marks_WhereTheWindowIsNotTheLimit_CostNothing() => Assert.DoesNotContain(FindingIds.EcnMarks, Judge(Marked(2)).Select(found => found.Id));

    // The queue is full although it marks: the path gives no more.
    [Fact]
    public void Marks_OfAFullQueue_AreThePathsCapacity() => Assert.Equal(
        FindingIds.PathFull,
        Single(Marked(9) with
        {
            FromClient = Marked(9).FromClient with { Delivery = new DeliverySummary { PathFullTime = 9 * Second, PathFullBytes = 9_000_000 } },
        }).Id);

    static Connection Marked(int secondsLimited) => Upload(up => up with
    {
        Limits = Spent((LimitState.CongestionWindow, secondsLimited * Second), (LimitState.Application, (10 - secondsLimited) * Second)),
        MaxInFlightBytes = 400_000,
        Ecn = new EcnSummary(EcnUse.Classic, 0, 80, 12),
        Patterns = new DirectionPatterns { Reduction = new(7, new TraceTime(Second)), LastReduction = new(900, new TraceTime(3 * Second)) },
    });

    static MemoryTrace Opened(byte syn, byte synAck) => new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: syn).AckNumber(0).Mss(1460))
        .Packet(100, FromServer(0, 1, flags: synAck).Mss(1460))
        .Packet(20_100, FromClient(1, 1));
}
