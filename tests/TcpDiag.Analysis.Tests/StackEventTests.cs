using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Connections from the stack's events, with packets and without.</summary>
public sealed class StackEventTests
{
    const ulong Tcb = 0xFFFF_A98D_43C0_6960;

    static readonly Endpoint Local = new(IpAddress.FromIpv4(0x0A000001), 50000);
    static readonly Endpoint Remote = new(IpAddress.FromIpv4(0x0A000002), 443);

    static void Fill(StackEvent told, uint? process, params (StackField Field, long Value)[] fields)
    {
        told.Tcb = Tcb;
        told.ProcessId = process;
        foreach ((StackField field, long value) in fields)
        {
            told.Set(field, value);
        }
    }

    static MemoryTrace Named() => new MemoryTrace()
        .Event(0, StackEventKind.ProcessNamed, told => (told.ProcessId, told.Text) = (4711, "browser.exe"))
        .Event(1, StackEventKind.ConnectRequested, told =>
        {
            Fill(told, 4711);
            (told.Local, told.Remote) = (Local, Remote);
        });

    [Fact]
    public void Packets_AndEventsOfTheSameAddresses_AreOneConnectionWithItsProcess()
    {
        Connection connection = Named().Packet(10, FromClient(0, 0, flags: 2)).Analyze().Connections.Single();
        Assert.Equal(4711u, connection.ProcessId);
        Assert.Equal("browser.exe", connection.ProcessName);
        Assert.Equal(Evidence.Both, connection.Evidence);
    }

    // Two sends of 1000, one of them resent; SRTT 20 and 30 ms.
    [Fact]
    public void EventsAlone_GiveBytesRetransmissionsAndRtt()
    {
        MemoryTrace trace = Named()
            .Event(100, StackEventKind.Connected, told => Fill(told, null))
            .Event(200, StackEventKind.SegmentSent, told => Fill(told, null, (StackField.Bytes, 1000), (StackField.Srtt, 20_000)))
            .Event(300, StackEventKind.SegmentSent, told => Fill(told, null, (StackField.Bytes, 1000), (StackField.Srtt, 30_000)))
            .Event(300, StackEventKind.SegmentRetransmitted, told => Fill(told, null, (StackField.Bytes, 1000)))
            .Event(700, StackEventKind.AckReceived, told => Fill(told, null))
            .Event(800, StackEventKind.Closed, told => Fill(told, null));
        TraceAnalysis analysis = trace.Analyze();
        Connection connection = analysis.Connections.Single();
        Assert.Equal(Evidence.Events, connection.Evidence);
        Assert.Equal(Local, connection.Client);
        Assert.True(connection.IsHandshakeComplete);
        Assert.Equal(ConnectionEnd.Fin, connection.End);
        Assert.Equal(2000, connection.FromClient.PayloadBytes);
        Assert.Equal(1000, connection.FromClient.UniqueBytes);
        Assert.Equal(1, connection.FromClient.Retransmissions);
        Assert.Equal(500_000, connection.FromClient.ActiveTime);
        Assert.Equal(new RttSummary(20_000_000, 20_000_000, 30_000_000, 2), connection.FromClient.Rtt);
        Assert.Equal(Evidence.None, connection.FromServer.Evidence);
        Assert.Equal(8, analysis.StackEvents);
    }

    [Fact]
    public void Rundown_OfAnIdleConnection_IsOnlyCounted()
    {
        TraceAnalysis analysis = new MemoryTrace().Event(0, StackEventKind.ConnectionRundown, told =>
        {
            Fill(told, 1);
            (told.Local, told.Remote) = (Local, Remote);
        }).Analyze();
        Assert.Empty(analysis.Connections);
        Assert.Equal(1, analysis.IdleConnections);
    }

    [Fact]
    public void Tcb_UsedAgain_IsAnotherConnection()
    {
        MemoryTrace trace = Named()
            .Event(100, StackEventKind.Closed, told => Fill(told, null))
            .Event(200, StackEventKind.Accepted, told =>
            {
                Fill(told, 12);
                (told.Local, told.Remote) = (new Endpoint(Local.Address, 80), new Endpoint(Remote.Address, 60000));
            })
            .Event(300, StackEventKind.SegmentSent, told => Fill(told, null, (StackField.Bytes, 5)));
        Connection[] connections = [.. trace.Analyze().Connections];
        Assert.Equal(2, connections.Length);
        Assert.Equal(60000, connections[1].Client.Port);
        Assert.Equal(5, connections[1].FromServer.PayloadBytes);
        Assert.Equal(12u, connections[1].ProcessId);
    }

    // The kernel's own TcpIp events tell addresses and no TCB.
    [Fact]
    public void EventsWithoutTcb_GiveAConnectionByItsAddresses()
    {
        MemoryTrace trace = new MemoryTrace()
            .Event(0, StackEventKind.SendCompleted, told => Kernel(told, 1000))
            .Event(10, StackEventKind.SegmentReceived, told => Kernel(told, 300))
            .Event(20, StackEventKind.SendCompleted, told => Kernel(told, 500));
        Connection connection = trace.Analyze().Connections.Single();
        Assert.Equal(Evidence.Events, connection.Evidence);
        Assert.Equal(4u, connection.ProcessId);
        Assert.Equal(1500, connection.FromClient.PayloadBytes);
        Assert.Equal(300, connection.FromServer.PayloadBytes);
    }

    [Fact]
    public void EventsOfTwoSources_AreOneConnection_AndCountOnce()
    {
        MemoryTrace trace = Named()
            .Event(100, StackEventKind.SegmentSent, told => Fill(told, null, (StackField.Bytes, 1000)))
            .Event(101, StackEventKind.SendCompleted, told => Kernel(told, 1000))
            .Event(102, StackEventKind.SegmentReceived, told => Fill(told, null, (StackField.Bytes, 200)))
            .Event(103, StackEventKind.SegmentReceived, told => Kernel(told, 200));
        Connection connection = trace.Analyze().Connections.Single();
        Assert.Equal(1000, connection.FromClient.PayloadBytes);
        Assert.Equal(200, connection.FromServer.PayloadBytes);
    }

    // What Linux recordings tell: who owns the socket with these ends.
    [Fact]
    public void ProcessNamed_WithAddresses_NamesTheConnection()
    {
        Connection connection = new MemoryTrace()
            .Event(5, StackEventKind.ProcessNamed, told =>
            {
                (told.ProcessId, told.Text) = (815, "curl");
                (told.Local, told.Remote) = (Local, Remote);
            })
            .Packet(10, FromClient(0, 0, flags: 2))
            .Analyze().Connections.Single();
        Assert.Equal(815u, connection.ProcessId);
        Assert.Equal("curl", connection.ProcessName);
    }

    static void Kernel(StackEvent told, long bytes)
    {
        told.ProcessId = 4;
        (told.Local, told.Remote) = (Local, Remote);
        told.Set(StackField.Bytes, bytes);
    }

    // From 50 to 10 kB is a restart; the window a connection begins with is none.
    [Fact]
    public void CwndRestarts_CountWindowsTakenBack()
    {
        MemoryTrace trace = Named()
            .Event(100, StackEventKind.CwndRestarted, told => Fill(told, null, (StackField.OldCwnd, 4000), (StackField.Cwnd, 14_600)))
            .Event(200, StackEventKind.SegmentSent, told => Fill(told, null, (StackField.Bytes, 1000), (StackField.SeqNo, 1)))
            .Event(300, StackEventKind.CwndRestarted, told => Fill(told, null, (StackField.OldCwnd, 50_000), (StackField.Cwnd, 10_000)))
            .Event(400, StackEventKind.AckReceived, told => Fill(told, null));
        TraceAnalysis analysis = trace.Analyze();
        Assert.Equal(1, analysis.Connections.Single().FromClient.CwndRestarts);
        Assert.Contains(analysis.Findings, finding => finding.Id is FindingIds.IdleRestart);
    }
}
