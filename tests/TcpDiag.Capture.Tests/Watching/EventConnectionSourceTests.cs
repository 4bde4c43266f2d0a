using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.StandIns;
using TcpDiag.Capture.Watching;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Watching;

/// <summary>What the analysis of live events says, as <c>watch</c> reads it.</summary>
public sealed class EventConnectionSourceTests
{
    const ulong Tcb = 0xFFFF_8000_0000_1000;
    const long Millisecond = 1_000_000;

    static readonly Endpoint Local = new(IpAddress.FromIpv4(0x0A000001), 50_000);
    static readonly Endpoint Remote = new(IpAddress.FromIpv4(0x0A000002), 443);

    readonly SetClock _clock = new();
    readonly StackEvent _event = new();
    readonly EventConnectionSource _connections;

    public EventConnectionSourceTests() => _connections = new EventConnectionSource(process => $"process-{process}", _clock);

    [Fact]
    public void Read_ConnectionOfARundown_HasItsOwner()
    {
        Feed(10, StackEventKind.ConnectionRundown);
        ConnectionReading reading = Assert.Single(Read());
        Assert.Equal((Local, Remote, 7u, "process-7"), (reading.Local, reading.Remote, reading.ProcessId, reading.Process));
        Assert.Equal((0L, 0L, null, null), (reading.BytesOut, reading.BusyUs, reading.InFlightBytes, reading.SrttUs));
    }

    [Fact]
    public void Read_SentAndAcknowledged_HasItsFigures()
    {
        Feed(10, StackEventKind.ConnectionRundown);
        Send(10, 1, 2000);
        Feed(30, StackEventKind.AckReceived, (StackField.Bytes, 1200), (StackField.SndWnd, 60_000), (StackField.Cwnd, 15_000));
        Feed(31, StackEventKind.SegmentReceived, (StackField.Bytes, 300));
        Feed(32, StackEventKind.ReorderingDetected);
        ConnectionReading reading = Assert.Single(Read());
        Assert.Equal((2000L, 300L, 800L, 15_000L, 60_000L, 20_000L, 1L),
            (reading.BytesOut, reading.BytesIn, reading.InFlightBytes, reading.CwndBytes, reading.SendWindowBytes, reading.SrttUs, reading.Reorderings));
    }

    // A write now and then: 100 ms of the application, which are no time that a sender is busy.
    [Fact]
    public void Read_WritesThatFit_AreNotBusy()
    {
        Feed(10, StackEventKind.ConnectionRundown);
        Send(10, 1, 1000);
        Feed(30, StackEventKind.AckReceived, (StackField.Bytes, 1000), (StackField.SndWnd, 60_000));
        Send(110, 1001, 1000);
        Assert.Equal(0, Assert.Single(Read()).BusyUs);
    }

    [Fact]
    public void Read_FullWindow_IsTimeStoppedByIt()
    {
        Feed(10, StackEventKind.ConnectionRundown);
        Send(10, 1, 1460, window: 2000);
        Feed(60, StackEventKind.RttSample);
        ConnectionReading reading = Assert.Single(Read());
        Assert.Equal((50_000L, 50_000L), (reading.BusyUs, reading.ReceiveWindowUs));
    }

    // Silent from 10 ms until the timer expired at 310 ms; the latest event at 320 ms.
    [Fact]
    public void Read_Loss_IsTimeOfItsTimerAndRepair()
    {
        Feed(10, StackEventKind.ConnectionRundown);
        Send(10, 1, 3000);
        Feed(310, StackEventKind.RetransmissionTimeout);
        Send(310, 1, 1000);
        Feed(320, StackEventKind.RttSample);
        ConnectionReading reading = Assert.Single(Read());
        Assert.Equal((RecoveryState.Timeout, 300_000L, 10_000L, 310_000L), (reading.Recovery, reading.TimeoutUs, reading.FastRecoveryUs, reading.BusyUs));
    }

    // 65,536 are followed.
    [Fact]
    public void Watch_SourceLeavesOut_IsInItsCount()
    {
        for (uint i = 0; i < 65_536 + 2; i++)
        {
            _event.Reset(StackEventKind.ConnectionRundown, new TraceTime(Millisecond), "test");
            (_event.Tcb, _event.Local, _event.Remote) = (Tcb + i, Local, new(IpAddress.FromIpv4(0x0B000000 + i), 443));
            _connections.Add(_event);
        }

        using var watch = new ConnectionMonitor(_connections, new MatchAll());
        _ = watch.Read();
        Assert.Equal(2, watch.LeftOut);
    }

    // In flight within a full window for 10 s. Events end at 11 ms; what is read is up to then, and 1 s behind the clock once none can be under way.
    [Fact]
    public void Watch_NoEvents_GoesOnBehindTheClock()
    {
        using var watch = new ConnectionMonitor(_connections, new MatchAll());
        Feed(10, StackEventKind.ConnectionRundown);
        Send(11, 1, 1460, window: 2000);
        _ = watch.Read();
        _clock.Milliseconds += 500;
        WatchedConnection connection = Assert.Single(watch.Read());
        Assert.Equal((WatchLimit.Unknown, 0d), (connection.Limit, watch.Interval.TotalMilliseconds));
        _clock.Milliseconds += 9500;
        connection = Assert.Single(watch.Read());
        Assert.Equal((WatchLimit.ReceiveWindow, 9_000_000L, 9000d), (connection.Limit, connection.LostUs, watch.Interval.TotalMilliseconds));
    }

    // A generated trace, fed event by event as a session would. Its one upload: from the first SeqNo of event 1332 to the highest SeqNo + BytesSent
    // 876,040 bytes; all BytesSent add up to 881,832, four segments of 1,448 more.
    [SharedFact]
    public void Read_EventsOfATrace_CountItsUpload()
    {
        using TraceReader reader = TraceFile.Open(SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.etl"));
        var record = default(TraceRecord);
        (long? Bytes, long? Resent) most = default;
        while (reader.TryRead(ref record))
        {
            if (record is { Kind: TraceRecordKind.StackEvent, Event: { } told })
            {
                _connections.Add(told);
                _connections.Read(reading => most = reading.BytesOut > 0 ? (reading.BytesOut, reading.Retransmissions) : most, _ => { });
            }
        }

        Assert.Equal((876_040, 4), most);
    }

    void Send(long milliseconds, uint seq, int bytes, int window = 65_535) => Feed(milliseconds, StackEventKind.SegmentSent,
        (StackField.SeqNo, seq), (StackField.Bytes, bytes), (StackField.Cwnd, 14_600), (StackField.SndWnd, window), (StackField.Srtt, 20_000));

    void Feed(long milliseconds, StackEventKind kind, params ReadOnlySpan<(StackField Field, long Value)> fields)
    {
        _event.Reset(kind, new TraceTime(milliseconds * Millisecond), "test");
        (_event.Tcb, _event.ProcessId) = (Tcb, 7);
        if (kind is StackEventKind.ConnectionRundown)
        {
            (_event.Local, _event.Remote) = (Local, Remote);
        }

        foreach ((StackField field, long value) in fields)
        {
            _event.Set(field, value);
        }

        _connections.Add(_event);
    }

    List<ConnectionReading> Read()
    {
        var readings = new List<ConnectionReading>();
        _connections.Read(readings.Add, _ => { });
        return readings;
    }
}

/// <summary>Up to when events are known.</summary>
public sealed class EventClockTests
{
    readonly SetClock _machine = new();
    readonly EventClock _clock;

    public EventClockTests() => _clock = new EventClock(_machine);

    [Fact]
    public void Now_BeforeTheFirstEvent_IsNone() => Assert.Equal(default, _clock.Now());

    // An event of 5 s arrives, and one of 4.9 s behind it. For a second more may be under way; then the time goes on.
    [Theory]
    [InlineData(0, 5000)]
    [InlineData(1000, 5000)]
    [InlineData(1400, 5400)]
    public void Now_AfterAnEvent_GoesOnOnceNoneCanBeUnderWay(long passed, long expected)
    {
        _clock.OnEvent(At(5000));
        _clock.OnEvent(At(4900));
        _machine.Milliseconds += passed;
        Assert.Equal(At(expected), _clock.Now());
    }

    // The buffer came late: the time has gone on by then.
    [Fact]
    public void Now_EventBeforeIt_DoesNotGoBack()
    {
        _clock.OnEvent(At(5000));
        _machine.Milliseconds += 2000;
        Assert.Equal(At(6000), _clock.Now());
        _clock.OnEvent(At(5500));
        Assert.Equal(At(6000), _clock.Now());
    }

    static TraceTime At(long milliseconds) => new(milliseconds * 1_000_000);
}

/// <summary>What <c>watch</c> begins on Windows, and what it ends first.</summary>
public sealed class EventSessionTests
{
    // No process has this number, and this one has its own.
    [Fact]
    public void Open_SessionsOfOthers_EndsThoseWhoseProcessHasGone()
    {
        var machine = new Machine(
            EtwSession.LivePrefix + int.MaxValue.ToString(CultureInfo.InvariantCulture),
            EtwSession.LivePrefix + Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
            EtwSession.LivePrefix + "of-somebody",
            "NT Kernel Logger");

        using (EventConnectionSource connections = EventConnectionSource.Open(machine))
        {
            Assert.Equal(["stop tcpdiag-live-2147483647", "listen"], machine.Calls);
        }

        Assert.Equal("end", machine.Calls[^1]);
    }

    sealed class Machine(params string[] sessions) : QuietMachine, IDisposable
    {
        public List<string> Calls { get; } = [];

        public override IReadOnlyList<EtwSession>? Sessions() => Array.ConvertAll(sessions, name => new EtwSession(name, string.Empty, 0, 0, 0));

        public override bool StopSession(string name)
        {
            Calls.Add("stop " + name);
            return true;
        }

        public override IDisposable Listen(IStackEventSink sink)
        {
            Calls.Add("listen");
            return this;
        }

        public void Dispose() => Calls.Add("end");
    }
}

/// <summary>A machine's clock that a test sets.</summary>
sealed class SetClock : TimeProvider
{
    public long Milliseconds { get; set; } = 1;

    public override long TimestampFrequency => 1000;

    public override long GetTimestamp() => Milliseconds;
}
