using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Capture.Watching;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Watching;

public sealed class ConnectionMonitorTests
{
    const long Second = 1_000_000;

    [Fact]
    public void Read_FirstTime_KnowsNoRates()
    {
        using ConnectionMonitor watch = Over(Reading(1));
        WatchedConnection connection = Assert.Single(watch.Read());
        Assert.Null(connection.SendBitsPerSecond);
        Assert.Equal(WatchLimit.Unknown, connection.Limit);
        Assert.Equal(TimeSpan.Zero, watch.Interval);
    }

    [Fact]
    public void Read_AgainAfterTwoSeconds_HasRatesOfTheTimeBetween()
    {
        using ConnectionMonitor watch = Over(Reading(1, bytesOut: 1000, retransmissions: 5), Reading(1, bytesOut: 251_000, retransmissions: 8), seconds: 2);
        watch.Read();
        WatchedConnection connection = Assert.Single(watch.Read());

        // 250,000 bytes in 2 s; the five before the watch began do not count.
        Assert.Equal(1_000_000, connection.SendBitsPerSecond);
        Assert.Equal(3, connection.Retransmissions);
        Assert.Equal(2, watch.Interval.TotalSeconds);
    }

    // Of a second: busy, of that receive window and send buffer; what is repaired; what comes of it, and the time lost.
    [Theory]
    [InlineData(5_000, 0, 0, 0, WatchLimit.Application, 0)]
    [InlineData(400_000, 0, 0, 0, WatchLimit.Application, 0)]
    [InlineData(900_000, 100_000, 0, 0, WatchLimit.CongestionWindow, 100_000)]
    [InlineData(900_000, 600_000, 0, 0, WatchLimit.ReceiveWindow, 600_000)]
    [InlineData(900_000, 0, 700_000, 0, WatchLimit.SendBuffer, 700_000)]
    [InlineData(900_000, 100_000, 0, 1, WatchLimit.Recovery, 900_000)]
    [InlineData(900_000, 0, 0, 2, WatchLimit.Timeout, 900_000)]
    public void Read_BusyTime_IsSharedOut(long busy, long receiveWindow, long sendBuffer, int repair, WatchLimit expected, long lost)
    {
        ConnectionReading after = Reading(1, busy, receiveWindow, sendBuffer);
        after.Recovery = (RecoveryState)repair;
        using ConnectionMonitor watch = Over(Reading(1, busy: 0), after, seconds: 1);
        watch.Read();
        WatchedConnection connection = Assert.Single(watch.Read());
        Assert.Equal((expected, lost), (connection.Limit, connection.LostUs));
    }

    // Busy for a second, with the time of loss recovery known from events, whatever the state is at the reading.
    [Theory]
    [InlineData(100_000, 0, WatchLimit.CongestionWindow, 100_000)]
    [InlineData(600_000, 0, WatchLimit.Recovery, 600_000)]
    [InlineData(100_000, 800_000, WatchLimit.Timeout, 900_000)]
    [InlineData(0, 0, WatchLimit.CongestionWindow, 0)]
    [InlineData(2_000_000, 0, WatchLimit.Recovery, 1_000_000)]
    public void Read_TimeOfRecoveryIsKnown_CountsInsteadOfTheMoment(long recovery, long timeout, WatchLimit expected, long lost)
    {
        ConnectionReading before = Reading(1, busy: 0);
        (before.FastRecoveryUs, before.TimeoutUs) = (5, 7);
        ConnectionReading after = Reading(1, busy: Second);
        (after.FastRecoveryUs, after.TimeoutUs, after.Recovery) = (5 + recovery, 7 + timeout, RecoveryState.Timeout);
        using ConnectionMonitor watch = Over(before, after, seconds: 1);
        watch.Read();
        WatchedConnection connection = Assert.Single(watch.Read());
        Assert.Equal((expected, lost), (connection.Limit, connection.LostUs));
    }

    // Judged times: busy all the second; what was taken for a wait of 2 s for the buffer turns out to be one for the timer, or none of the kind.
    [Theory]
    [InlineData(1000, -2000, 2500, WatchLimit.Timeout, 3500)]
    [InlineData(1000, -2000, 0, WatchLimit.CongestionWindow, 1000)]
    [InlineData(-1000, -2000, 0, WatchLimit.Application, 1000)]
    [InlineData(1000, 3000, 0, WatchLimit.SendBuffer, 6000)]
    public void Read_JudgmentsThatAreCorrected_CorrectTheTimeLost(long busy, long sendBuffer, long timeout, WatchLimit expected, long lost)
    {
        ConnectionReading[] readings = [Judged(0, 0, 0), Judged(5000, 3000, 0), Judged(5000 + busy, 3000 + sendBuffer, timeout)];
        using var watch = new ConnectionMonitor(new ScriptedSource(Second, [.. readings.Select(reading => new[] { reading })]), new MatchAll());
        watch.Read();
        Assert.Equal(3_000_000, Assert.Single(watch.Read()).LostUs);
        WatchedConnection connection = Assert.Single(watch.Read());
        Assert.Equal((expected, lost * 1000), (connection.Limit, connection.LostUs));
    }

    // Its bytes have gone back too: what the one before had lost stays lost.
    [Fact]
    public void Read_JudgmentsOfAnotherConnection_AreNoCorrection()
    {
        ConnectionReading[] readings = [Judged(0, 0, 0), Judged(900, 800, 0), Judged(10, 0, 0)];
        readings[2].BytesOut = 10;
        using var watch = new ConnectionMonitor(new ScriptedSource(Second, [.. readings.Select(reading => new[] { reading })]), new MatchAll());
        watch.Read();
        watch.Read();
        WatchedConnection connection = Assert.Single(watch.Read());
        Assert.Equal((WatchLimit.Unknown, 800_000), (connection.Limit, connection.LostUs));
    }

    // Events were lost: of most of the second nothing is known.
    [Theory]
    [InlineData(400, WatchLimit.SendBuffer)]
    [InlineData(600, WatchLimit.Unknown)]
    public void Read_MostOfTheTimeNotJudged_HasNoLimit(long notJudged, WatchLimit expected)
    {
        ConnectionReading[] readings = [Judged(0, 0, 0), Judged(1000 - notJudged, 1000 - notJudged, 0)];
        (readings[0].NotJudgedUs, readings[1].NotJudgedUs) = (0, notJudged * 1000);
        using ConnectionMonitor watch = Over(readings[0], readings[1]);
        watch.Read();
        Assert.Equal(expected, Assert.Single(watch.Read()).Limit);
    }

    // No event can have come since the reading before: what it showed stands.
    [Fact]
    public void Read_AgainAtTheSameTime_KeepsRatesAndLimit()
    {
        ConnectionReading[] readings = [Judged(0, 0, 0), Judged(900, 800, 0), Judged(900, 800, 0)];
        using var watch = new ConnectionMonitor(new ScriptedSource([Second, Second, 0], [.. readings.Select(reading => new[] { reading })]), new MatchAll());
        watch.Read();
        watch.Read();
        WatchedConnection connection = Assert.Single(watch.Read());
        Assert.Equal((WatchLimit.SendBuffer, 0d, TimeSpan.Zero), (connection.Limit, connection.SendBitsPerSecond, watch.Interval));
    }

    [Fact]
    public void Read_CounterThatWentBack_IsAnotherConnection()
    {
        using ConnectionMonitor watch = Over(Reading(1, bytesOut: 5000), Reading(1, bytesOut: 10), seconds: 1);
        watch.Read();
        Assert.Null(Assert.Single(watch.Read()).SendBitsPerSecond);
    }

    [Fact]
    public void Read_SeveralConnections_HasTheMostTimeLostFirst()
    {
        var source = new ScriptedSource(Second, [Reading(1, busy: 0), Reading(2, busy: 0), Reading(3, busy: 0)],
            [Reading(1, 100), Reading(2, 900_000, 500_000), Reading(3, 900_000)]);
        using var watch = new ConnectionMonitor(source, new MatchAll());
        watch.Read();
        Assert.Equal([2, 3, 1], watch.Read().Select(connection => (int)connection.Local.Port));
    }

    [Fact]
    public void Read_ConnectionThatHasGone_IsForgotten()
    {
        var source = new ScriptedSource(Second, [Reading(1), Reading(2)], [Reading(2)]);
        using var watch = new ConnectionMonitor(source, new MatchAll());
        Assert.Equal(2, watch.Read().Count);
        Assert.Equal(2, Assert.Single(watch.Read()).Local.Port);
    }

    [Theory]
    [InlineData("process curl", 1)]
    [InlineData("process 7", 2)]
    [InlineData("dst port 443", 2)]
    [InlineData("port 2", 1)]
    [InlineData("not process curl", 1)]
    public void Read_Match_ChoosesConnections(string match, int expected)
    {
        ConnectionReading curl = Reading(1);
        (curl.Process, curl.ProcessId) = ("curl", 7);
        ConnectionReading other = Reading(2);
        (other.Process, other.ProcessId) = ("other", 7);
        using var watch = new ConnectionMonitor(new ScriptedSource(Second, [curl, other]), MatchParser.Parse(match));
        Assert.Equal(expected, watch.Read().Count);
    }

    static ConnectionMonitor Over(ConnectionReading first, ConnectionReading? second = null, long seconds = 1) =>
        new(new ScriptedSource(seconds * Second, [first], [second ?? first]), new MatchAll());

    static ConnectionReading Reading(ushort port, long? busy = null, long? receiveWindow = 0, long? sendBuffer = 0, long? bytesOut = null,
        long? retransmissions = null) => new()
        {
            Local = new Endpoint(IpAddress.FromIpv4(0x0A000001), port),
            Remote = new Endpoint(IpAddress.FromIpv4(0x0A000002), 443),
            BusyUs = busy,
            ReceiveWindowUs = receiveWindow,
            SendBufferUs = sendBuffer,
            BytesOut = bytesOut,
            Retransmissions = retransmissions,
        };

    // Times in milliseconds.
    static ConnectionReading Judged(long busy, long sendBuffer, long timeout) => new()
    {
        AreTimesJudged = true,
        BytesOut = 1000,
        BusyUs = busy * 1000,
        ReceiveWindowUs = 0,
        SendBufferUs = sendBuffer * 1000,
        FastRecoveryUs = 0,
        TimeoutUs = timeout * 1000,
    };

    sealed class ScriptedSource(long[] stepsUs, params ConnectionReading[][] readings) : IConnectionSource
    {
        readonly Queue<long> _steps = new(stepsUs);
        readonly Queue<ConnectionReading[]> _readings = new(readings);
        long _now;

        public ScriptedSource(long stepUs, params ConnectionReading[][] readings)
            : this([.. Enumerable.Repeat(stepUs, readings.Length)], readings)
        {
        }

        public bool HasEvents => false;

        public long Read(Action<ConnectionReading> take, Action<long> begin)
        {
            _now += _steps.Dequeue();
            begin(_now);
            Array.ForEach(_readings.Dequeue(), take);
            return _now;
        }

        public void Dispose() => _readings.Clear();
    }
}
