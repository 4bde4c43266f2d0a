using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Analysis.Tests.Windows;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>What limits a sender while its connection goes on: in the end what the analysis of a recording says, and until then what is known.</summary>
public sealed class LiveLimitTests
{
    const int Mss = 1460;

    readonly LiveScript _script = new();

    // The story of each fixture as a Windows build would have recorded it: its events read as a trace, and fed one by one up to the one that ends the
    // connection.
    [Theory]
    [InlineData("s1-adaptive")]
    [InlineData("s1-fixed")]
    [InlineData("s2-not-adapting")]
    [InlineData("s3-small-buffer")]
    [InlineData("s3-large-buffer")]
    [InlineData("s4-half-window")]
    [InlineData("s4-whole-window")]
    public void Read_AtTheEnd_IsWhatTheAnalysisSays(string recording)
    {
        string path = ProjectFolder.PathOf("tests", "fixtures", "stories", recording + "-sender.pcapng");
        byte[] file = WindowsStory.Of(path, new(26100) { Packets = StoryPackets.None }).File;
        ConnectionDirection recorded = Analyze(Open(file));
        ConnectionDirection packets = Analyze(TraceFile.Open(path));
        LiveScript.Reading seldom = Last(file, readEach: 1000);
        LiveScript.Reading often = Last(file, readEach: 1);

        Assert.Equal(States(recorded.Limits!.Times), States(seldom.Times));
        Assert.Equal(States(seldom.Times), States(often.Times)); // readings in between have disturbed nothing
        Assert.Equal((packets.UniqueBytes, packets.Retransmissions), (seldom.BytesOut, seldom.Retransmissions));
    }

    // Ten segments were under way when the session began: two acknowledgments in a row show it, at 31 ms. 16,061 − 2,921 are in flight then, of a window of as much.
    [Fact]
    public void Read_OpenBeforeItsFirstEvent_CountsWhatWasInFlight()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(10, 14_601, Mss, window: 13_140);
        Assert.Equal(Mss, Assert.Single(_script.Read(20)).InFlightBytes);
        foreach ((double ms, long number) in ((double, long)[])[(30, 1_461), (31, 2_921)])
        {
            _script.Feed(ms, StackEventKind.AckReceived, (StackField.SeqNo, number), (StackField.Bytes, Mss), (StackField.Cwnd, 146_000), (StackField.SndWnd, 13_140));
        }

        LiveScript.Reading late = Assert.Single(_script.Read(60));
        Assert.Equal(13_140, late.InFlightBytes);
        Assert.Equal((21, 29), (late.Ms(LimitState.NotJudged), late.Ms(LimitState.ReceiveWindow)));
    }

    [Fact]
    public void Read_FullWindow_IsReceiveWindowUntilNow()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(10, 1, Mss, window: 2000);
        Assert.Equal(50, Assert.Single(_script.Read(60)).Ms(LimitState.ReceiveWindow));
    }

    // All is acknowledged, and the window is closed: with data left the receive window is the limit, without it nothing waits.
    [Theory]
    [InlineData(2 * Mss, 90)]
    [InlineData(Mss, 20)]
    public void Read_WindowClosedWithNothingInFlight_WaitsWithDataLeft(int posted, double expected)
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(10, 1, Mss, window: Mss, posted: posted).Acknowledge(30, Mss, window: 0);
        Assert.Equal(expected, Assert.Single(_script.Read(100)).Ms(LimitState.ReceiveWindow));
    }

    // Ten segments a round in a window of ten: up to the acknowledgment that is under way too.
    [Fact]
    public void Read_WithDataInFlight_LeavesTheTimeToWhatHeldTheBurstsBefore()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown);
        for (int round = 0; round < 10; round++)
        {
            Round(round * 20, round, cwnd: 10 * Mss);
        }

        Round(200, 10, cwnd: 10 * Mss, isAcknowledged: false);
        Assert.Equal(210, Assert.Single(_script.Read(210)).Ms(LimitState.CongestionWindow), tolerance: 0.1);
    }

    // The same with a window of a hundred, and all that was written in flight: the send buffer.
    [Fact]
    public void Read_AllThatIsPostedInFlight_IsSendBuffer()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown);
        for (int round = 0; round < 10; round++)
        {
            Round(round * 20, round, cwnd: 100 * Mss);
        }

        Assert.Equal(199.98, Assert.Single(_script.Read(300)).Ms(LimitState.SendBuffer), tolerance: 0.1);
    }

    // Nothing comes back: an RTO after the send (SRTT 20 ms, floor 200 ms) its timer is what is waited for. After four it would have expired.
    [Theory]
    [InlineData(100, 0)]
    [InlineData(610, 600)]
    [InlineData(1010, 0)]
    public void Read_AcknowledgmentOverdue_IsTimeout(double now, double expected)
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(10, 1, Mss);
        Assert.Equal(expected, Assert.Single(_script.Read(now)).Ms(LimitState.Timeout));
    }

    // ... which the acknowledgment corrects when it comes after all.
    [Fact]
    public void Read_AcknowledgmentAfterAll_CorrectsIt()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(10, 1, Mss);
        Assert.Equal(600, Assert.Single(_script.Read(610)).Ms(LimitState.Timeout));
        _script.Acknowledge(620, Mss);
        LiveScript.Reading reading = Assert.Single(_script.Read(2000));
        Assert.Equal((0d, 610_000_000L), (reading.Ms(LimitState.Timeout), reading.Times.Total));
    }

    // It has expired once and backs off: seconds without anything are its.
    [Fact]
    public void Read_TimerThatBacksOff_IsTimeout()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(10, 1, Mss).Feed(310, StackEventKind.RetransmissionTimeout).Send(310, 1, Mss);
        Assert.Equal(5300, Assert.Single(_script.Read(5310)).Ms(LimitState.Timeout));
    }

    // The event of an acknowledgment was lost. What is sent much later shows that nothing was in flight any more.
    [Fact]
    public void Read_AcknowledgmentNeverSeen_IsForgotten()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(10, 1, Mss).Send(5000, 1 + Mss, Mss);
        Assert.Equal(Mss, Assert.Single(_script.Read(5001)).InFlightBytes);
        _script.Acknowledge(5020, Mss);
        LiveScript.Reading reading = Assert.Single(_script.Read(9000));
        Assert.Equal((0, 5010_000_000L, 5010d), (reading.InFlightBytes, reading.Times.Total, reading.Ms(LimitState.NotJudged)
            + reading.Ms(LimitState.Application)));
    }

    // 5 GB in rounds of 14,600 bytes: further than sequence numbers go. An event in ten thousand is lost.
    [Fact]
    public void Read_AfterMoreThanSequenceNumbersHold_CountsOn()
    {
        const long rounds = 5_000_000_000 / (10 * Mss);
        _script.Feed(0, StackEventKind.ConnectionRundown);
        for (long round = 0; round < rounds; round++)
        {
            Round(round * 20, round, cwnd: 10 * Mss, isSent: round % 10_000 != 9999);
        }

        LiveScript.Reading reading = Assert.Single(_script.Read(rounds * 20));
        Assert.Equal((rounds * 10 * Mss, 0, 0L), (reading.BytesOut, reading.InFlightBytes, reading.Retransmissions));
        Assert.InRange(reading.Ms(LimitState.CongestionWindow) / (rounds * 20), 0.99, 1);
    }

    [Fact]
    public void ReadAndOnEvent_OfManyConnections_AllocateNothing()
    {
        for (uint i = 1; i < 1000; i++)
        {
            _script.Begin(i);
        }

        _script.Feed(0, StackEventKind.ConnectionRundown);
        Rounds(0, 100);
        long read = 0;
        Action<LiveConnection> take = one => read += one.Times.Total;
        _script.Connections.Read(new TraceTime(2_000_000_000), take);

        long min = long.MaxValue; // the runtime allocates while it recompiles
        for (int round = 100; round < 9_000; round += 3_000)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Rounds(round, round + 3_000);
            _script.Connections.Read(new TraceTime((round + 3_000) * 20_000_000L), take);
            min = Math.Min(min, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, min);
        Assert.True(read > 0);
    }

    void Rounds(int from, int to)
    {
        for (int round = from; round < to; round++)
        {
            Round(round * 20, round, cwnd: (round % 3 + 8) * Mss);
        }
    }

    void Round(double ms, long round, int cwnd, bool isAcknowledged = true, bool isSent = true)
    {
        if (isSent)
        {
            _script.Send(ms, 1 + (round * 10 * Mss), 10 * Mss, cwnd, posted: 10 * Mss);
        }

        if (isAcknowledged)
        {
            _script.Acknowledge(ms + 19.98, 10 * Mss, cwnd);
        }
    }

    // The last reading before the connection ended.
    static LiveScript.Reading Last(byte[] file, int readEach)
    {
        var connections = new LiveConnections(_ => null);
        using TraceReader reader = Open(file);
        var record = default(TraceRecord);
        LiveScript.Reading? last = null;
        for (int count = 0; reader.TryRead(ref record); count++)
        {
            if (record is not { Kind: TraceRecordKind.StackEvent, Event: { } stackEvent })
            {
                continue;
            }

            if (count % readEach == 0 || stackEvent.Kind is StackEventKind.Closed or StackEventKind.ConnectionSummary)
            {
                connections.Read(stackEvent.Time, one => last = new(one));
            }

            connections.OnEvent(stackEvent);
        }

        return last!;
    }

    static TraceReader Open(byte[] file) => TraceFile.Open(new MemoryTraceInput(file, "story.etl"), TraceFormat.Etl, TraceOpenOptions.Default);

    static IEnumerable<(LimitState, long)> States(LimitTimes times) => Enum.GetValues<LimitState>().Select(state => (state, times.In(state)));

    static ConnectionDirection Analyze(TraceReader reader)
    {
        using (reader)
        {
            Connection connection = TraceAnalyzer.Analyze(reader).Connections.Single();
            return connection.FromClient.PayloadBytes > connection.FromServer.PayloadBytes ? connection.FromClient : connection.FromServer;
        }
    }
}
