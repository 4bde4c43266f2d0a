using System;
using System.Collections.Generic;
using TcpDiag.Capture.Watching;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Watching;

/// <summary>Connections from events as a session on Windows delivers them.</summary>
public sealed class EventConnectionsTests
{
    const ulong Tcb = 0xFFFF_8000_0000_1000;
    const long Millisecond = 1_000_000;

    static readonly Endpoint Local = new(IpAddress.FromIpv4(0x0A000001), 50_000);
    static readonly Endpoint Remote = new(IpAddress.FromIpv4(0x0A000002), 443);

    readonly SetClock _clock = new();
    readonly StackEvent _event = new();
    readonly Dictionary<uint, string> _names = [];
    readonly EventConnections _connections;

    public EventConnectionsTests() => _connections = new EventConnections(process => _names.GetValueOrDefault(process, $"process-{process}"), _clock);

    [Fact]
    public void Read_ConnectionOfARundown_HasItsOwner()
    {
        Tell(0, StackEventKind.ConnectionRundown);
        ConnectionReading reading = Assert.Single(Read(1));
        Assert.Equal((Local, Remote, 7u, "process-7"), (reading.Local, reading.Remote, reading.ProcessId, reading.Process));
        Assert.Null(reading.InFlightBytes);
    }

    [Fact]
    public void Read_SentAndAcknowledged_CountsNewBytesAndWhatIsInFlight()
    {
        Tell(0, StackEventKind.ConnectionRundown);
        Tell(10, StackEventKind.SegmentSent, (StackField.SeqNo, uint.MaxValue - 999), (StackField.Bytes, 2000), (StackField.Cwnd, 14_600), (StackField.SndWnd, 65_535), (StackField.Srtt, 20_000));
        Tell(30, StackEventKind.AckReceived, (StackField.Bytes, 1200), (StackField.SndWnd, 60_000), (StackField.Cwnd, 15_000));
        ConnectionReading reading = Assert.Single(Read(40));
        Assert.Equal((2000L, 800L, 15_000L, 60_000L, 20_000L), (reading.BytesOut, reading.InFlightBytes, reading.CwndBytes, reading.SendWindowBytes, reading.SrttUs));
        Assert.Equal((30_000L, 0L, 0L), (reading.BusyUs, reading.ReceiveWindowUs, reading.Retransmissions)); // in flight from 10 to 40 ms
    }

    [Fact]
    public void Read_FullWindow_IsTimeStoppedByIt()
    {
        Tell(0, StackEventKind.ConnectionRundown);
        Tell(10, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 1460), (StackField.Cwnd, 14_600), (StackField.SndWnd, 2000));
        ConnectionReading reading = Assert.Single(Read(60));
        Assert.Equal((50_000L, 50_000L), (reading.BusyUs, reading.ReceiveWindowUs));
    }

    [Fact]
    public void Read_SegmentSentAgain_IsRepairedUntilAllSentThenIsAcknowledged()
    {
        Tell(0, StackEventKind.ConnectionRundown);
        Tell(1, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Tell(2, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 1000), (StackField.SndWnd, 65_535));
        ConnectionReading during = Assert.Single(Read(3));
        Assert.Equal((SenderRepair.Recovery, 1L, 3000L), (during.Repair, during.Retransmissions, during.BytesOut));
        Tell(4, StackEventKind.AckReceived, (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Assert.Equal(SenderRepair.None, Assert.Single(Read(5)).Repair);
    }

    // Sent up to 11,681 in segments of 1460. Again: 4380 bytes, three; 3000, three of which the last is short; and of 5840 from 8761 on two, for the rest is new. A fast retransmission is told twice.
    [Fact]
    public void Read_LargeSendsAgain_CountTheirSegments()
    {
        Tell(0, StackEventKind.ConnectionRundown);
        Tell(1, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 11_680), (StackField.SndWnd, 65_535));
        Tell(2, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 4380), (StackField.SndWnd, 65_535));
        Tell(2, StackEventKind.SegmentRetransmitted, (StackField.SeqNo, 1), (StackField.Bytes, 4380));
        Assert.Equal(3, Assert.Single(Read(3)).Retransmissions);
        Tell(4, StackEventKind.SegmentSent, (StackField.SeqNo, 4381), (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Assert.Equal(6, Assert.Single(Read(5)).Retransmissions);
        Tell(6, StackEventKind.SegmentSent, (StackField.SeqNo, 8761), (StackField.Bytes, 5840), (StackField.SndWnd, 65_535));
        ConnectionReading reading = Assert.Single(Read(7));
        Assert.Equal((8L, 14_600L), (reading.Retransmissions, reading.BytesOut)); // new from 11,681 to 14,601
    }

    [Fact]
    public void Read_HandleUsedAgain_IsAnotherConnection()
    {
        Tell(0, StackEventKind.ConnectionRundown);
        Tell(1, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 3000), (StackField.SndWnd, 65_535));
        Tell(2, StackEventKind.Closed);
        Assert.Empty(Read(3));
        Tell(4, StackEventKind.Accepted);
        Assert.Equal(0, Assert.Single(Read(5)).BytesOut);
    }

    // Windows gives the number of a process that has ended to another one: the older connection keeps its owner.
    [Fact]
    public void Read_NumberOfAProcessUsedAgain_EachConnectionHasItsOwnOwner()
    {
        Tell(0, StackEventKind.ConnectionRundown);
        Assert.Equal("process-7", Assert.Single(Read(1)).Process);
        _names[7] = "another";
        Tell(2, StackEventKind.SegmentSent, (StackField.SeqNo, 1), (StackField.Bytes, 1000), (StackField.SndWnd, 65_535));
        Assert.Equal("process-7", Assert.Single(Read(3)).Process);
        Tell(4, StackEventKind.Closed);
        Tell(5, StackEventKind.Accepted);
        Assert.Equal("another", Assert.Single(Read(6)).Process);
    }

    // 65,536 are followed. Of three more one is told twice, and one ends.
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

        // There is room for one again, which takes it when it is told of next.
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

        using var watch = new ConnectionWatch(_connections, new MatchAll());
        _ = watch.Read();
        Assert.Equal(2, watch.LeftOut);
    }

    // A generated trace, told event by event as a session would. Its one upload: from the first SeqNo of event 1332 to the highest SeqNo + BytesSent 876,040 bytes; all BytesSent
    // add up to 881,832, four segments of 1,448 more.
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

    void Tell(long milliseconds, StackEventKind kind, params ReadOnlySpan<(StackField Field, long Value)> fields)
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
