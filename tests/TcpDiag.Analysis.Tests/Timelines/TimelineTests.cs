using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Testing;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Timelines;

/// <summary>What is recorded of a connection. The client's initial sequence number is 256 below the wrap: data crosses it.</summary>
public sealed class TimelineTests
{
    const long Us = 1000;

    static TraceAnalysis Analyze(MemoryTrace trace, TimelineOptions? options = null) =>
        TraceAnalyzer.Analyze(trace, new AnalysisOptions { Timelines = options ?? new TimelineOptions() });

    static DirectionTimeline Client(MemoryTrace trace)
    {
        TraceAnalysis analysis = Analyze(trace);
        return analysis.Timelines[analysis.Connections.Single()].FromClient;
    }

    static IEnumerable<(long Time, MarkKind Kind, long From, long To)> Of(Series<Mark> marks) =>
        marks.Items.ToArray().Select(mark => (mark.Time / Us, mark.Kind, mark.From, mark.To));

    [Fact]
    public void Analyze_NotAskedFor_RecordsNothing() => Assert.Empty(Opened().Analyze().Timelines);

    [Fact]
    public void Sent_AcrossTheWrap_CountsFromTheInitialNumber()
    {
        DirectionTimeline client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(30_100, FromClient(1001, 1, 1000)).Packet(50_100, FromServer(1, 2001)));
        Assert.Equal(
            [new TrackPoint(30_000 * Us, 0, 1, 1, 1001, 1001), new(30_100 * Us, 0, 1001, 1001, 2001, 2001)],
            client.Sent.Items.ToArray());
        Assert.Equal([1, 2001], client.Acked.Items.ToArray().Select(point => point.Last));
        Assert.Equal([1, 0, 1000, 2000, 0], client.InFlight.Items.ToArray().Select(point => point.Last));
        Assert.Equal([(30_100 - 30_000 + 20_000) * Us], client.Rtt.Items.ToArray().Select(point => point.Last + (100 * Us)));
    }

    [Fact]
    public void Marks_ControlSegments_StandAtTheirBytes()
    {
        MemoryTrace trace = Opened()
            .Packet(30_000, FromClient(1, 1, 100, FrameBuilder.Fin | FrameBuilder.Ack))
            .Packet(31_000, FromClient(777_777, 1, 0, FrameBuilder.Rst));
        Assert.Equal([(0, MarkKind.Syn, 0, 0), (30_000, MarkKind.Fin, 101, 101), (31_000, MarkKind.Rst, 102, 102)], Of(Client(trace).Marks));
    }

    [Fact]
    public void Marks_DataSentAgain_NameItsBytes()
    {
        DirectionTimeline client = Client(Opened().Packet(30_000, FromClient(1, 1, 1000)).Packet(400_000, FromClient(1, 1, 1000)));
        Mark resent = client.Marks.Items.ToArray().Single(mark => mark.Kind <= MarkKind.LostRetransmission);
        Assert.Equal((400_000 * Us, 1, 1001, 5, 1), (resent.Time, resent.From, resent.To, resent.Packet, resent.Count));
        Assert.Single(client.Sent.Items.ToArray());
    }

    // Acknowledged at 50 ms, and sent again at 60 ms all the same.
    [Fact]
    public void Marks_DataSentAgainForNothing_SayHowOften()
    {
        DirectionTimeline client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(50_000, FromServer(1, 1001)).Packet(60_000, FromClient(1, 1, 1000))
            .Packet(70_000, FromClient(1001, 1, 1000)).Packet(400_000, FromClient(1001, 1, 1000)).Packet(420_000, FromServer(1, 2001)));
        Assert.Equal(
            [(60_000 * Us, 1), (400_000 * Us, 0)],
            client.Marks.Items.ToArray().Where(mark => mark.Kind <= MarkKind.LostRetransmission).Select(mark => (mark.Time, mark.Needless)));
    }

    [Fact]
    public void Windows_ThatDoNotChange_AreRecordedOnce()
    {
        DirectionTimeline client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(40_000, FromServer(1, 1001)).Packet(50_000, FromServer(1, 1001).Window(0)));
        Assert.Equal([1000, 0], client.ReceiveWindow.Items.ToArray().Select(point => point.Last));
        Assert.Contains((50_000, MarkKind.ZeroWindow, 1001, 1001), Of(client.Marks));
    }

    [Fact]
    public void Sacks_KeepTheirRanges()
    {
        DirectionTimeline client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(30_100, FromClient(1001, 1, 1000)).Packet(30_200, FromClient(2001, 1, 1000))
            .Packet(50_000, FromServer(1, 1).Sack(unchecked(ClientIsn + 2001), unchecked(ClientIsn + 3001))));
        Assert.Contains((50_000, MarkKind.Sack, 2001, 3001), Of(client.Sacks));
        Assert.Contains((50_000, MarkKind.DuplicateAck, 1, 1), Of(client.Sacks));
    }

    [Fact]
    public void Stack_EventsOfAnEnd_BelongToItsDirection()
    {
        MemoryTrace trace = Opened()
            .Event(25_000, StackEventKind.CwndSample, told => Tell(told, cwnd: 14_600))
            .Event(26_000, StackEventKind.RetransmissionTimeout, told => Tell(told, cwnd: 1460));
        StackTimeline stack = Client(trace).Stack!;
        Assert.Equal([14_600, 1460], stack.Cwnd.Items.ToArray().Select(point => point.Last));
        Assert.Equal([StackEventKind.RetransmissionTimeout], stack.Events.Items.ToArray().Select(mark => mark.Event));
    }

    // Two segments, of which the timer sends the first again; events before their packet and right behind it, one of a byte that was not resent, and one that
    // comes alone.
    [Fact]
    public void Stack_EventsWithSequenceNumbers_StandAtTheirBytesAndPackets()
    {
        MemoryTrace trace = Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(30_100, FromClient(1001, 1, 1000))
            .Event(329_900, StackEventKind.SegmentLost, told => Tell(told, StackField.SeqNo, 1001))
            .Event(329_950, StackEventKind.RetransmissionTimeout, told => Tell(told, StackField.SndUna, 1))
            .Packet(330_000, FromClient(1, 1, 1000))
            .Event(330_020, StackEventKind.SegmentRetransmitted, told => Tell(told, cwnd: 1460))
            .Event(500_000, StackEventKind.SegmentRetransmitted, told => Tell(told, cwnd: 1460));
        DirectionTimeline client = Client(trace);
        long resent = client.Marks.Items.ToArray().Single(mark => mark.Kind == MarkKind.Timeout).Packet;
        Assert.Equal(
            [
                (StackEventKind.SegmentLost, 1001, 0),
                (StackEventKind.RetransmissionTimeout, 1, resent),
                (StackEventKind.SegmentRetransmitted, -1, resent),
                (StackEventKind.SegmentRetransmitted, -1, 0L),
            ],
            client.Stack!.Events.Items.ToArray().Select(mark => (mark.Event, mark.From, mark.Packet)));
    }

    // The numbers wrap between the two events; the initial one of the client lies 256 below that.
    [Fact]
    public void Stack_SequenceNumbersThatWrap_GoOn()
    {
        MemoryTrace trace = Opened().Event(30_000, StackEventKind.SegmentLost, told => Tell(told, StackField.SeqNo, 1));
        for (uint i = 0; i < 10; i++)
        {
            trace.Packet(30_000 + (i * 100), FromClient(1 + (i * 1000), 1, 1000));
        }

        DirectionTimeline client = Client(trace.Event(40_000, StackEventKind.SegmentLost, told => Tell(told, StackField.SeqNo, 9001)));
        Assert.Equal([1, 9001], client.Stack!.Events.Items.ToArray().Select(mark => mark.From));
    }

    // 100 connections of 40 segments, each larger than the one before: twelve and a few newer ones are held at a time.
    [Fact]
    public void Analyze_MoreThanFits_ChartsTheLargest()
    {
        var trace = new MemoryTrace();
        for (int i = 0; i < 100; i++)
        {
            for (int segment = 0; segment < 40; segment++)
            {
                trace.Packet((i * 1000) + segment, FromClient((uint)(1 + (segment * 10 * (i + 1))), 1, 10 * (i + 1)).Tcp((ushort)(2000 + i), 443));
            }
        }

        TraceAnalysis analysis = Analyze(trace, new TimelineOptions { Connections = 3, ItemsHeld = 8000, ItemsKept = 8000 });
        Assert.Equal([97, 98, 99], analysis.Timelines.Keys.Select(connection => connection.Index).Order());
    }

    static Endpoint End(string address, ushort port) => new(IpAddress.TryParse(address, out IpAddress parsed) ? parsed : default, port);

    static void Tell(StackEvent told, StackField field, uint offset)
    {
        Tell(told, cwnd: 14_600);
        told.Set(field, unchecked(ClientIsn + offset));
    }

    static void Tell(StackEvent told, long cwnd)
    {
        told.Tcb = 7;
        told.Local = End("10.0.0.1", 50000);
        told.Remote = End("10.0.0.2", 443);
        told.Set(StackField.Cwnd, cwnd);
    }
}
