using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Watching;
using TcpDiag.Capture.Windows;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Watching;

/// <summary>Connections from events as a session on Windows delivers them.</summary>
public sealed class EventConnectionSourceTests
{
    const ulong Tcb = 0xFFFF_8000_0000_1000;
    const long Millisecond = 1_000_000;

    static readonly Endpoint Local = new(IpAddress.FromIpv4(0x0A000001), 50_000);
    static readonly Endpoint Remote = new(IpAddress.FromIpv4(0x0A000002), 443);

    readonly SetClock _clock = new();
    readonly StackEvent _event = new();
    readonly Dictionary<uint, string> _names = [];
    readonly EventConnectionSource _connections;

    public EventConnectionSourceTests() => _connections = new EventConnectionSource(process => _names.GetValueOrDefault(process, $"process-{process}"), _clock);

    [Fact]
    public void Read_ConnectionOfARundown_HasItsOwner()
    {
        Feed(0, StackEventKind.ConnectionRundown);
        ConnectionReading reading = Assert.Single(Read(1));
        Assert.Equal((Local, Remote, 7u, "process-7"), (reading.Local, reading.Remote, reading.ProcessId, reading.Process));
        Assert.Null(reading.InFlightBytes);
    }

    [Fact]
    public void Read_SentAndAcknowledged_CountsNewBytesAndWhatIsInFlight()
    {
        Feed(0, StackEventKind.ConnectionRundown);
        Feed(10, StackEventKind.SegmentSent, (StackField.SeqNo, uint.MaxValue - 999), (StackField.Bytes, 2000), (StackField.Cwnd, 14_600),
            (StackField.SndWnd, 65_535), (StackField.Srtt, 20_000));
        Feed(30, StackEventKind.AckReceived, (StackField.Bytes, 1200), (StackField.SndWnd, 60_000), (StackField.Cwnd, 15_000));
        ConnectionReading reading = Assert.Single(Read(40));
        Assert.Equal((2000L, 800L, 15_000L, 60_000L, 20_000L),
            (reading.BytesOut, reading.InFlightBytes, reading.CwndBytes, reading.SendWindowBytes, reading.SrttUs));
        Assert.Equal((30_000L, 0L, 0L), (reading.BusyUs, reading.ReceiveWindowUs, reading.Retransmissions)); // in flight from 10 to 40 ms
    }

    [Fact]
    public void Read_FullWindow_IsTimeStoppedByIt()
    {
        Feed(0, StackEventKind.ConnectionRundown);
        Feed(10, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 1460), (StackField.Cwnd, 14_600), (StackField.SndWnd, 2000));
        ConnectionReading reading = Assert.Single(Read(60));
        Assert.Equal((50_000L, 50_000L), (reading.BusyUs, reading.ReceiveWindowUs));
    }

    [Fact]
    public void Read_SegmentSentAgain_IsRepairedUntilAllSentThenIsAcknowledged()
    {
        Feed(0, StackEventKind.ConnectionRundown);
        Feed(1, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Feed(2, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 1000), (StackField.SndWnd, 65_535));
        ConnectionReading during = Assert.Single(Read(3));
        Assert.Equal((RecoveryState.FastRecovery, 1L, 3000L), (during.Recovery, during.Retransmissions, during.BytesOut));
        Feed(4, StackEventKind.AckReceived, (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Assert.Equal(RecoveryState.None, Assert.Single(Read(5)).Recovery);
    }

    // Sent up to 11,681 in segments of 1460. Again: 4380 bytes, three; 3000, three of which the last is short; and of 5840 from 8761 on two, for the
    // rest is new. A fast retransmission is logged twice.
    [Fact]
    public void Read_LargeSendsAgain_CountTheirSegments()
    {
        Feed(0, StackEventKind.ConnectionRundown);
        Feed(1, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 11_680), (StackField.SndWnd, 65_535));
        Feed(2, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 4380), (StackField.SndWnd, 65_535));
        Feed(2, StackEventKind.SegmentRetransmitted, (StackField.SeqNo, 1), (StackField.Bytes, 4380));
        Assert.Equal(3, Assert.Single(Read(3)).Retransmissions);
        Feed(4, StackEventKind.SegmentSent, (StackField.SeqNo, 4381), (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Assert.Equal(6, Assert.Single(Read(5)).Retransmissions);
        Feed(6, StackEventKind.SegmentSent, (StackField.SeqNo, 8761), (StackField.Bytes, 5840), (StackField.SndWnd, 65_535));
        ConnectionReading reading = Assert.Single(Read(7));
        Assert.Equal((8L, 14_600L), (reading.Retransmissions, reading.BytesOut)); // new from 11,681 to 14,601
    }

    [Fact]
    public void Read_HandleUsedAgain_IsAnotherConnection()
    {
        Feed(0, StackEventKind.ConnectionRundown);
        Feed(1, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Feed(2, StackEventKind.Closed);
        Assert.Empty(Read(3));
        Feed(4, StackEventKind.Accepted);
        Assert.Equal(0, Assert.Single(Read(5)).BytesOut);
    }

    // Windows gives the number of a process that has ended to another one: the older connection keeps its owner.
    [Fact]
    public void Read_NumberOfAProcessUsedAgain_EachConnectionHasItsOwnOwner()
    {
        Feed(0, StackEventKind.ConnectionRundown);
        Assert.Equal("process-7", Assert.Single(Read(1)).Process);
        _names[7] = "another";
        Feed(2, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 1000), (StackField.SndWnd, 65_535));
        Assert.Equal("process-7", Assert.Single(Read(3)).Process);
        Feed(4, StackEventKind.Closed);
        Feed(5, StackEventKind.Accepted);
        Assert.Equal("another", Assert.Single(Read(6)).Process);
    }

    // 65,536 are followed. Of three more one has two events, and one ends.
    [Fact]
    public void Read_MoreThanCanBeFollowed_CountsThoseLeftOut()
    {
        for (uint i = 0; i < 65_536 + 3; i++)
        {
            Begin(i);
        }

        Begin(65_536);
        Assert.Equal((65_536, 3L), (Read(1).Count, _connections.LeftOut));
        End(65_538);
        Assert.Equal((65_536, 2L), (Read(2).Count, _connections.LeftOut));

        // There is room for one again, which is taken by its next event.
        End(0);
        Begin(65_536);
        Assert.Equal((65_536, 1L), (Read(3).Count, _connections.LeftOut));
    }

    [Fact]
    public void Watch_SourceLeavesOut_IsInItsCount()
    {
        for (uint i = 0; i < 65_536 + 2; i++)
        {
            Begin(i);
        }

        using var watch = new ConnectionMonitor(_connections, new MatchAll());
        _ = watch.Read();
        Assert.Equal(2, watch.LeftOut);
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

    void Feed(long milliseconds, StackEventKind kind, params ReadOnlySpan<(StackField Field, long Value)> fields)
    {
        _event.Reset(kind, new TraceTime(milliseconds * Millisecond), "test");
        (_event.Tcb, _event.ProcessId) = (Tcb, 7);
        if (kind is StackEventKind.ConnectionRundown or StackEventKind.Accepted)
        {
            (_event.Local, _event.Remote) = (Local, Remote);
        }

        foreach ((StackField field, long value) in fields)
        {
            _event.Set(field, value);
        }

        _connections.Add(_event);
    }

    void Begin(uint number)
    {
        _event.Reset(StackEventKind.ConnectionRundown, new TraceTime(0), "test");
        (_event.Tcb, _event.ProcessId, _event.Local, _event.Remote) = (Tcb + number, 7, Local, new(IpAddress.FromIpv4(0x0B000000 + number), 443));
        _connections.Add(_event);
    }

    void End(uint number)
    {
        _event.Reset(StackEventKind.Closed, new TraceTime(0), "test");
        _event.Tcb = Tcb + number;
        _connections.Add(_event);
    }

    List<ConnectionReading> Read(long milliseconds)
    {
        _clock.Now = DateTimeOffset.UnixEpoch.AddMilliseconds(milliseconds);
        var readings = new List<ConnectionReading>();
        _connections.Read(readings.Add, _ => { });
        return readings;
    }

    sealed class SetClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = DateTimeOffset.UnixEpoch;

        public override DateTimeOffset GetUtcNow() => Now;
    }
}

/// <summary>What <c>watch</c> begins on Windows, and what it ends first.</summary>
public sealed class LiveConnectionsTests
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

        using (EventConnectionSource connections = LiveConnections.Open(machine))
        {
            Assert.Equal(["stop tcpdiag-live-2147483647", "listen"], machine.Calls);
        }

        Assert.Equal("end", machine.Calls[^1]);
    }

    sealed class Machine(params string[] sessions) : ICaptureMachine, IDisposable
    {
        public List<string> Calls { get; } = [];

        public bool IsPrivileged => true;

        public int Build => 26100;

        public string? WhyNotPrivate(string path) => null;

        public string? InheritRights(string path) => null;

        public long? FreeBytes(string path) => null;

        public IReadOnlyList<EtwSession>? Sessions() => Array.ConvertAll(sessions, name => new EtwSession(name, string.Empty, 0, 0, 0));

        public string? StartSession(EtwSessionPlan plan) => throw new NotSupportedException();

        public bool StopSession(string name)
        {
            Calls.Add("stop " + name);
            return true;
        }

        public IDisposable Listen(IStackEventSink sink)
        {
            Calls.Add("listen");
            return this;
        }

        public void Dispose() => Calls.Add("end");

        public TcpDiag.Capture.Sessions.ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null) => throw new NotSupportedException();
    }
}
