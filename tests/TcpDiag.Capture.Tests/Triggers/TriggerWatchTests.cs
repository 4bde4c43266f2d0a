using System;
using System.Net;
using System.Threading;
using TcpDiag.Capture.Triggers;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Triggers;

/// <summary>Conditions on a timeline of events, a tenth of a second each; the same logic runs on Linux and on Windows.</summary>
public sealed class TriggerWatchTests : IDisposable
{
    const string Probe = "tcp:tcp_probe";

    readonly StoppedClock _clock = new();
    TriggerWatch? _watch;

    public void Dispose() => _watch?.Dispose();

    // 12,500 bytes acknowledged in each tenth of a second are 1 Mbit/s.
    [Theory]
    [InlineData(2_000_000, true)]
    [InlineData(500_000, false)]
    public void Goodput_SenderAtOneMegabit_FiresBelowTwo(double threshold, bool fires)
    {
        Wait(new GoodputBelow(threshold, TimeSpan.FromSeconds(2)));

        Repeat(30, turn => Acknowledge(12_500 * turn));

        Assert.Equal(fires, _watch!.Firing is not null);
    }

    [Fact]
    public void Goodput_SlowFromTheStart_FiresNoEarlierThanItsTime()
    {
        Wait(new GoodputBelow(2_000_000, TimeSpan.FromSeconds(2)));

        // 2 s in slots of 250 ms: the first slot that is whole begins at 0.25 s, and nine of them end at 2.25 s.
        Repeat(20, turn => Acknowledge(12_500 * turn));
        Assert.Null(_watch!.Firing);
        Repeat(4, turn => Acknowledge(12_500 * (20 + turn)));
        Assert.Equal("goodput below 2mbit for 2s", _watch.Firing?.Condition);
        Assert.Equal("goodput of 10.0.0.1:5000 → 10.0.0.2:443 was 1000000 bit/s for 2 s", _watch.Firing?.What);
    }

    [Fact]
    public void Goodput_SequenceNumbersPastTheEnd_CountOn()
    {
        Wait(new GoodputBelow(500_000, TimeSpan.FromSeconds(2)));

        Repeat(40, turn => Acknowledge(0xFFFF_F000 + (12_500 * turn)));

        Assert.Null(_watch!.Firing);
    }

    [Fact]
    public void Goodput_IdleConnection_IsNotSlow()
    {
        Wait(new GoodputBelow(1_000_000, TimeSpan.FromSeconds(1)));
        Acknowledge(1000);

        Repeat(50, _ => { });

        Assert.Null(_watch!.Firing);
    }

    // A request now and then moves few bytes because nobody asks for more.
    [Fact]
    public void Goodput_RequestsWithPausesBetween_AreNotSlow()
    {
        Wait(new GoodputBelow(1_000_000, TimeSpan.FromSeconds(2)));

        Repeat(100, turn =>
        {
            if (turn % 10 == 0)
            {
                Acknowledge(1000 * turn);
            }
        });

        Assert.Null(_watch!.Firing);
    }

    [Fact]
    public void Goodput_BurstAfterAPause_IsJudgedByItself()
    {
        Wait(new GoodputBelow(900_000, TimeSpan.FromSeconds(2)));
        Acknowledge(0);
        Repeat(30, _ => { });

        // 1 Mbit/s from its first tenth of a second on.
        Repeat(40, turn => Acknowledge(12_500 * turn));

        Assert.Null(_watch!.Firing);
    }

    [Fact]
    public void Goodput_NothingIsAcknowledgedAnyMore_Fires()
    {
        Wait(new GoodputBelow(1_000_000, TimeSpan.FromSeconds(1)));
        Add(StackEventKind.CwndSample, e => Set(e, (StackField.SndUna, 1000), (StackField.SndNxt, 50_000)));

        Repeat(50, _ => { });

        Assert.Equal("goodput of 10.0.0.1:5000 → 10.0.0.2:443 was 0 bit/s for 1 s", _watch!.Firing?.What);
    }

    [Fact]
    public void Goodput_DataWaitsForAClosedWindow_Fires()
    {
        Wait(new GoodputBelow(1_000_000, TimeSpan.FromSeconds(1)));
        Add(StackEventKind.CwndSample, e => Set(e, (StackField.BytesInFlight, 0), (StackField.SendAvailable, 65_536)));

        Repeat(50, _ => { });

        Assert.NotNull(_watch!.Firing);
    }

    [Fact]
    public void Goodput_ReceivedBytes_Count()
    {
        Wait(new GoodputBelow(500_000, TimeSpan.FromSeconds(1)));

        Repeat(30, _ => Add(StackEventKind.SegmentReceived, e => Set(e, (StackField.Bytes, 12_500))));

        Assert.Null(_watch!.Firing);
    }

    [Fact]
    public void Goodput_ConnectionNobodyAskedFor_DoesNotCount()
    {
        Wait(new GoodputBelow(2_000_000, TimeSpan.FromSeconds(1)), "tcp port 8443");

        Repeat(30, turn => Acknowledge(12_500 * turn));

        Assert.Null(_watch!.Firing);
    }

    [Fact]
    public void Goodput_ClosedConnection_IsForgotten()
    {
        Wait(new GoodputBelow(1_000_000, TimeSpan.FromSeconds(1)));
        Add(StackEventKind.CwndSample, e => Set(e, (StackField.SndUna, 1000), (StackField.SndNxt, 50_000)));
        Add(StackEventKind.Closed, _ => { });

        Repeat(50, _ => { });

        Assert.Null(_watch!.Firing);
    }

    // Counters: of 10 segments in each sample one was sent again.
    [Theory]
    [InlineData(0.09, true)]
    [InlineData(0.1, false)]
    public void Retransmissions_CountersOfSamples_FireAboveTheShare(double share, bool fires)
    {
        Wait(new RetransmissionsAbove(share, TimeSpan.FromSeconds(1)));

        Repeat(30, turn => Add(StackEventKind.CwndSample,
            e => Set(e, (StackField.DataSegmentsOut, 1000 + (10 * turn)), (StackField.SegmentsRetransmitted, 500 + turn))));

        Assert.Equal(fires, _watch!.Firing is not null);
    }

    [Fact]
    public void Retransmissions_EventsOfEachSegment_AreCounted()
    {
        Wait(new RetransmissionsAbove(0.2, TimeSpan.FromSeconds(1)));

        // 8 slots of 125 ms hold 10 turns: 3 segments each, of which one again.
        Repeat(30, turn =>
        {
            Send(turn * 2920L, 1460);
            Send((turn * 2920L) + 1460, 1460);
            Send(turn * 2920L, 1460);
        });

        Assert.StartsWith("10.0.0.1:5000 → 10.0.0.2:443 retransmitted ", _watch!.Firing?.What, StringComparison.Ordinal);
    }

    // Windows: each turn a send of 64,240 bytes is cut into 44 segments by the adapter; one segment of it is retransmitted, which two events report. 1 of
    // 45 is 2.2 %.
    [Theory]
    [InlineData(0.023, false)]
    [InlineData(0.022, true)]
    public void Retransmissions_LargeSends_CountAsTheSegmentsThatTheyBecome(double share, bool fires)
    {
        Wait(new RetransmissionsAbove(share, TimeSpan.FromSeconds(1)));

        Repeat(30, turn =>
        {
            Send(turn * 64_240L, 64_240);
            Send(turn * 64_240L, 1460);
            Add(StackEventKind.SegmentRetransmitted, e => Set(e, (StackField.Bytes, 1460)));
        });

        Assert.Equal(fires, _watch!.Firing is not null);
    }

    // 20 turns of 64,240 bytes pass 2³² in the fifth.
    [Fact]
    public void Retransmissions_SequenceNumbersPastTheEnd_AreNotSentAgain()
    {
        Wait(new RetransmissionsAbove(0.001, TimeSpan.FromSeconds(1)));

        Repeat(20, turn => Send(unchecked((uint)((turn - 5) * 64_240L)), 64_240));

        Assert.Null(_watch!.Firing);
    }

    [Theory]
    [InlineData(0.06, false)]
    [InlineData(0.04, true)]
    public void Retransmissions_ResendingWithNewDataBehind_CountsWhatWasSentBefore(double share, bool fires)
    {
        Wait(new RetransmissionsAbove(share, TimeSpan.FromSeconds(1)));

        // 10 segments, then the last of them with 9 new ones: 1 of 20, in each turn.
        Repeat(30, turn =>
        {
            long start = turn * 19L * 1460;
            Send(start, 14_600);
            Send(start + (9 * 1460), 14_600);
        });

        Assert.Equal(fires, _watch!.Firing is not null);
    }

    [Fact]
    public void Retransmissions_ConnectionThatWasReset_IsForgotten()
    {
        Wait(new RetransmissionsAbove(0.2, TimeSpan.FromSeconds(1)));
        Acknowledge(0);
        Repeat(20, _ => { });
        for (int i = 0; i < 30; i++)
        {
            Add(StackEventKind.SegmentRetransmitted, _ => { });
        }

        Add(StackEventKind.Reset, _ => { });
        Repeat(20, _ => { });

        Assert.Null(_watch!.Firing);
    }

    [Fact]
    public void Retransmissions_FewSegments_AreNotJudged()
    {
        Wait(new RetransmissionsAbove(0.2, TimeSpan.FromSeconds(1)));

        Repeat(30, _ => Add(StackEventKind.SegmentRetransmitted, _ => { }));

        Assert.Null(_watch!.Firing);
    }

    [Theory]
    [InlineData("1332", "Microsoft-Windows-TCPIP/1332 v3", true)]
    [InlineData("133", "Microsoft-Windows-TCPIP/1332 v3", false)]
    [InlineData("1332", "Microsoft-Windows-Winsock-AFD/1332 v0", false)]
    [InlineData("tcp_probe", "tcp:tcp_probe", true)]
    [InlineData("tcp", "tcp:tcp_probe", false)]
    public void Event_Source_IsComparedWhole(string name, string source, bool fires)
    {
        Wait(new EventSeen(name));

        Add(StackEventKind.SegmentSent, _ => { }, source);

        Assert.Equal(fires, _watch!.Firing is not null);
    }

    [Fact]
    public void Reset_KnownByItsTcbAlone_NamesTheConnection()
    {
        Wait(new ResetSeen(), "tcp host 10.0.0.2");
        Add(StackEventKind.Connected, e => e.Tcb = 7);
        Add(StackEventKind.Reset, e => (e.Tcb, e.Local, e.Remote) = (8, null, null));
        Assert.Null(_watch!.Firing);

        Add(StackEventKind.Reset, e => (e.Tcb, e.Local, e.Remote) = (7, null, null), "Microsoft-Windows-TCPIP/1183 v0");

        Assert.Equal("reset of 10.0.0.1:5000 → 10.0.0.2:443 (Microsoft-Windows-TCPIP/1183 v0)", _watch.Firing?.What);
    }

    [Fact]
    public void HasEnded_AfterTheFiring_WaitsForItsTime()
    {
        Wait(new ResetSeen());
        Add(StackEventKind.Reset, _ => { });

        Assert.False(_watch!.HasEnded(TimeSpan.FromSeconds(1)));
        Repeat(10, _ => { });
        Assert.True(_watch.HasEnded(TimeSpan.FromSeconds(1)));
    }

    [Fact]
    public void SeveralConditions_TheFirstThatComesTrue_Stays()
    {
        Wait(new EventSeen("1351"), new ResetSeen());
        Add(StackEventKind.Reset, _ => { });
        Add(StackEventKind.RetransmissionTimeout, _ => { }, "Microsoft-Windows-TCPIP/1351 v0");

        Assert.Equal("reset", _watch!.Firing?.Condition);
    }

    void Wait(TriggerCondition condition, string match) =>
        _watch = new(new CaptureSettings { Match = MatchParser.Parse(match), Until = [condition] }, _clock);

    void Wait(params TriggerCondition[] conditions) => _watch = new(new CaptureSettings { Match = new MatchAll(), Until = conditions }, _clock);

    void Repeat(int turns, Action<int> turn)
    {
        for (int i = 1; i <= turns; i++)
        {
            _clock.Now += TimeSpan.FromMilliseconds(100);
            turn(i);
            _watch!.Tick();
        }
    }

    void Send(long seq, long bytes) => Add(StackEventKind.SegmentSent, e => Set(e, (StackField.SeqNo, seq), (StackField.Bytes, bytes)));

    void Acknowledge(long una) => Add(StackEventKind.CwndSample, e => Set(e, (StackField.SndUna, (uint)una), (StackField.SndNxt, (uint)una)));

    void Add(StackEventKind kind, Action<StackEvent> fill, string source = Probe)
    {
        var stackEvent = new StackEvent();
        stackEvent.Reset(kind, new((_clock.Now - DateTimeOffset.UnixEpoch).Ticks * 100), source);
        stackEvent.Local = End("10.0.0.1", 5000);
        stackEvent.Remote = End("10.0.0.2", 443);
        fill(stackEvent);
        _watch!.Add(stackEvent);
    }

    static Endpoint End(string address, ushort port) => new(IpAddress.Read(IPAddress.Parse(address).GetAddressBytes()), port);

    static void Set(StackEvent stackEvent, params (StackField Field, long Value)[] fields)
    {
        foreach ((StackField field, long value) in fields)
        {
            stackEvent.Set(field, value);
        }
    }
}

/// <summary>A clock that advances only when set, and whose timers never fire.</summary>
sealed class StoppedClock : TimeProvider
{
    public DateTimeOffset Now { get; set; } = DateTimeOffset.UnixEpoch.AddDays(1);

    public override DateTimeOffset GetUtcNow() => Now;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        base.CreateTimer(callback, state, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
}
