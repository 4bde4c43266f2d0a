using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Captures that hold one direction only: what is known all the same, and what is not told.</summary>
public sealed class OneSidedTests
{
    const byte Syn = FrameBuilder.Syn;
    const byte SynAck = FrameBuilder.Syn | FrameBuilder.Ack;
    const byte Fin = FrameBuilder.Fin | FrameBuilder.Ack;

    [Fact]
    public void ClientOnly_WithAResentSyn_WasOpenAfterIt()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0))
            .Packet(1_000_000, FromClient(0, 0, flags: Syn).AckNumber(0))
            .Packet(1_040_000, FromClient(1, 1));
        TraceAnalysis analysis = Sending(trace, 1_050_000).Analyze();
        Connection connection = analysis.Connections.Single();
        Assert.True(connection.IsOpen);
        Assert.True(connection.IsOneSided);
        Assert.Equal(1_040_000_000, connection.ConnectTime);
        Finding slow = analysis.Findings.Single(finding => finding.Id is FindingIds.SynRetransmitted);
        Assert.Equal(1.04, slow.SecondsLost);
        Assert.Equal("The connection took 1.04 s to open: SYN or SYN-ACK had to be sent again.", slow.Title);
        Finding finding = analysis.Findings.Single(found => found.Id is FindingIds.OneSidedCapture);
        Assert.Equal("Only what the client sent was captured.", finding.Title);
    }

    // Ten segments of 100 bytes that nobody is seen to acknowledge.
    [Fact]
    public void DataOnly_MeasuresThatNeedAnswers_AreNotTold()
    {
        MemoryTrace trace = new MemoryTrace().Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0)).Packet(40_000, FromClient(1, 1));
        Connection connection = Sending(trace, 50_000).Analyze().Connections.Single();
        Assert.Equal(1000, connection.FromClient.UniqueBytes);
        Assert.Null(connection.FromClient.MaxInFlightBytes);
        Assert.Null(connection.FromClient.Loss);
        Assert.Null(connection.FromClient.Reordering);
        Assert.Null(connection.FromClient.Triggers);
        Assert.Null(connection.FromClient.Needs);
        Assert.Null(connection.FromClient.Limits);
        Assert.Equal(90_000_000, connection.FromClient.ActiveTime); // nine times 10 ms: to its last packet
    }

    // Not answered is not the same as answered and not captured.
    [Fact]
    public void Unanswered_IsNotOneSided()
    {
        TraceAnalysis analysis = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0))
            .Packet(1_000_000, FromClient(0, 0, flags: Syn).AckNumber(0))
            .Analyze();
        Assert.False(analysis.Connections.Single().IsOneSided);
        Assert.Equal(["The connection did not open: 2 SYNs in 1.00 s led to nothing."], analysis.Findings.Select(finding => finding.Title));
    }

    // In the midst of a connection, only acknowledgments.
    [Fact]
    public void AcknowledgmentsOnly_AreOneSided_NotAGap()
    {
        TraceAnalysis analysis = new MemoryTrace().Packet(0, FromServer(1, 1)).Packet(10_000, FromServer(1, 1461)).Analyze();
        Assert.Equal([FindingIds.OneSidedCapture], analysis.Findings.Select(finding => finding.Id));
        Assert.Equal(1460, analysis.Connections.Single().FromClient.UnseenBytes);
    }

    [Fact]
    public void SeveralConnections_AreCounted()
    {
        MemoryTrace trace = Opened();
        trace.Packet(30_000, FromClient(0, 0, flags: Syn).AckNumber(0).Tcp(50_001, 443)).Packet(30_100, FromClient(1, 1).Tcp(50_001, 443));
        Finding finding = trace.Analyze().Findings.Single(found => found.Id is FindingIds.OneSidedCapture);
        Assert.Equal("Of 1 connection of 2 only one direction was captured.", finding.Title);
        Assert.Null(finding.Connection);
    }

    // From the server only: three connections between the same ports, each with its number.
    [Fact]
    public void SynAck_WithAnotherNumberAfterData_IsAnotherConnection()
    {
        var trace = new MemoryTrace();
        for (uint i = 0; i < 3; i++)
        {
            uint start = i * 1_000_000_000;
            trace.Packet(i * 10_000_000, FromServer(start, 1, flags: SynAck))
                .Packet((i * 10_000_000) + 40_000, FromServer(start + 1, 201, 1000))
                .Packet((i * 10_000_000) + 50_000, FromServer(start + 1001, 202, flags: Fin));
        }

        TraceAnalysis analysis = trace.Analyze();
        Assert.Equal(3, analysis.Connections.Count);
        Assert.All(analysis.Connections, connection => Assert.Equal(1000, connection.FromServer.UniqueBytes));
        Assert.All(analysis.Connections, connection => Assert.Equal(0, connection.SynRetransmissions));
    }

    // A SYN cookie is another one each time.
    [Fact]
    public void SynAck_WithAnotherNumberForTheSameSyn_IsTheSameConnection()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0))
            .Packet(100, FromServer(0, 1, flags: SynAck))
            .Packet(1_000_000, FromClient(0, 0, flags: Syn).AckNumber(0))
            .Packet(1_000_100, FromServer(77, 1, flags: SynAck))
            .Packet(1_020_000, FromClient(1, 78));
        Assert.True(trace.Analyze().Connections.Single().IsHandshakeComplete);
    }

    // Cut behind the fixed TCP header: what SYNs offer is not known, rather than missing.
    [Fact]
    public void Syn_WithItsOptionsCutOff_LeavesThemUnknown()
    {
        var trace = new MemoryTrace();
        trace.Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460).SackPermitted().WindowScale(7), cutTo: 54)
            .Packet(100, FromServer(0, 1, flags: SynAck).Mss(1460).SackPermitted().WindowScale(7), cutTo: 54)
            .Packet(20_100, FromClient(1, 1), cutTo: 54)
            .Packet(30_000, FromClient(1, 1, 1400), cutTo: 54)
            .Packet(50_000, FromServer(1, 1401), cutTo: 54);
        TraceAnalysis analysis = trace.Analyze();
        Connection connection = analysis.Connections.Single();
        Assert.Empty(analysis.Findings);
        Assert.Null(connection.FromClient.SynOptions);
        Assert.Equal(1400, connection.FromClient.Mss);
        Assert.Equal(1, connection.FromClient.WireSegments);
        Assert.Null(connection.FromClient.MaxReceiveWindowBytes);
    }

    // Cut behind the first option: the segment size is known, the rest is not.
    [Fact]
    public void Syn_WithSomeOptionsCutOff_KeepsTheFirst()
    {
        var trace = new MemoryTrace();
        trace.Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1300).WindowScale(7), cutTo: 58)
            .Packet(100, FromServer(0, 1, flags: SynAck).Mss(1460).WindowScale(7), cutTo: 58)
            .Packet(20_100, FromClient(1, 1));
        Connection connection = trace.Analyze().Connections.Single();
        Assert.Equal(1300, connection.FromClient.Mss);
        Assert.Null(connection.FromClient.MaxReceiveWindowBytes);
        Assert.Null(connection.FromServer.SynOptions & TcpOptionKinds.WindowScale);
    }

    static MemoryTrace Sending(MemoryTrace trace, long from)
    {
        for (uint i = 0; i < 10; i++)
        {
            trace.Packet(from + (i * 10_000), FromClient(1 + (i * 100), 1, 100));
        }

        return trace;
    }
}
