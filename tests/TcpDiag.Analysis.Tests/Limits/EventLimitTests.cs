using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Limits.SenderScript;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Limits from the stack's events alone: segments of 1000 bytes over 20 ms, times in milliseconds.</summary>
public sealed class EventLimitTests
{
    const ulong Tcb = 0xFFFF_A98D_43C0_6960;

    static readonly Endpoint Local = new(IpAddress.FromIpv4(0x0A000001), 50000);
    static readonly Endpoint Remote = new(IpAddress.FromIpv4(0x0A000002), 443);

    // Ten segments fill the window of 10,000 bytes; each round goes out as the one before is acknowledged.
    [Fact]
    public void FullCongestionWindow_IsCongestionWindow()
    {
        ConnectionDirection direction = Rounds(cwnd: 10_000, window: 65_535, segments: 10);
        Assert.Equal(200, Ms(direction, LimitState.CongestionWindow));
        Assert.Equal(Evidence.Events, direction.Limits?.Evidence);
        Assert.Equal(new CwndSummary(10_000, 10_000, Evidence.Events, 110), direction.Cwnd);
    }

    // The same, but the congestion window would allow ten times as much, and nothing is left to be sent.
    [Fact]
    public void AllPostedDataInFlight_IsSendBuffer() =>
        Assert.Equal(200, Ms(Rounds(cwnd: 100_000, window: 65_535, segments: 8), LimitState.SendBuffer));

    [Fact]
    public void FullReceiveWindow_IsReceiveWindow() =>
        Assert.Equal(200, Ms(Rounds(cwnd: 100_000, window: 4000, segments: 4), LimitState.ReceiveWindow));

    // Acknowledged at 20 ms, posted and sent at 100 ms.
    [Fact]
    public void NothingPosted_IsApplication()
    {
        MemoryTrace trace = Named();
        Send(trace, 0, 0, 2, 10_000, 65_535);
        Acknowledge(trace, 20, 2000, 10_000, 65_535);
        Send(trace, 100, 2000, 2, 10_000, 65_535);
        Acknowledge(trace, 120, 2000, 10_000, 65_535);
        Assert.Equal(120, Ms(Direction(trace), LimitState.Application));
    }

    // Silence from 0 to 300 ms, then the first segment once more.
    [Fact]
    public void TimerExpired_IsTimeout()
    {
        MemoryTrace trace = Named();
        Send(trace, 0, 0, 2, 10_000, 65_535);
        trace.Event(299_900, StackEventKind.RetransmissionTimeout, told => told.Tcb = Tcb);
        Send(trace, 300, 0, 1, 1000, 65_535);
        Acknowledge(trace, 320, 2000, 2000, 65_535);
        ConnectionDirection direction = Direction(trace);
        Assert.Equal(299.99, Ms(direction, LimitState.Timeout));
        Assert.Equal(20, Ms(direction, LimitState.Recovery));
    }

    [Fact]
    public void EventsLostBetween_NothingIsSaid()
    {
        MemoryTrace trace = Named();
        Send(trace, 0, 0, 2, 10_000, 65_535);
        trace.Event(10_000, StackEventKind.EventsLost, told => told.Set(StackField.LostEvents, 3));
        Acknowledge(trace, 20, 2000, 10_000, 65_535);
        Assert.Null(Direction(trace).Limits);
    }

    // A ring that lost its oldest: what was open by then has lost events, what opens behind that has none.
    [Theory]
    [InlineData(StackEventKind.Connected, 0, false)]
    [InlineData(StackEventKind.StateChanged, 2, false)]
    [InlineData(StackEventKind.StateChanged, 5, true)]
    [InlineData(StackEventKind.ConnectionRundown, 0, true)]
    public void EventsLostBeforeTheFirst_NothingIsSaidOfWhatWasOpen(StackEventKind first, int state, bool isWithheld)
    {
        MemoryTrace trace = new MemoryTrace().Event(-20, StackEventKind.EventsLost, told => told.Set(StackField.LostEvents, 3));
        trace.Event(-10, first, told =>
        {
            told.Tcb = Tcb;
            (told.Local, told.Remote) = (Local, Remote);
            told.Set(StackField.State, state);
        });
        Send(trace, 0, 0, 2, 10_000, 65_535);
        Acknowledge(trace, 20, 2000, 10_000, 65_535);
        Assert.Equal(isWithheld, Direction(trace).Limits is null);
    }

    // A session that begins in a recovery: of the first 100 kB the first 15 and those from 40 to 60 were lost, and are sent again, a segment for each that is
    // acknowledged; new data fills the congestion window from then on.
    [Fact]
    public void BegunInARecovery_WhatIsSentAgainIsNotNew()
    {
        MemoryTrace trace = Named();
        Segments(trace, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        int una = Answered(trace, 20, 0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [10, 11, 12, 13, 14, 40, 41, 42, 43, 44]);
        una = Answered(trace, 40, una, [11, 12, 13, 14, 40, 41, 42, 43, 44, 45], [45, 46, 47, 48, 49, 50, 51, 52, 53, 54]);
        una = Answered(trace, 60, una, [46, 47, 48, 49, 50, 51, 52, 53, 54, 55], [55, 56, 57, 58, 59, 100, 101, 102, 103, 104]);
        una = Answered(trace, 80, una, [56, 57, 58, 59, 100, 101, 102, 103, 104, 105], [105, 106, 107, 108, 109, 110, 111, 112, 113, 114]);
        for (int round = 0; round < 20; round++)
        {
            int first = 105 + (10 * round);
            una = Answered(trace, 100 + (20 * round), una, [.. Enumerable.Range(first + 1, 10)], [.. Enumerable.Range(first + 10, 10)]);
        }

        ConnectionDirection direction = Direction(trace);
        Assert.Equal(0, Ms(direction, LimitState.SendBuffer));
        Assert.InRange(Ms(direction, LimitState.CongestionWindow), 400, 440);
    }

    // 100 ms between samples: busy 60 of them, 20 of these by the receive window.
    [Fact]
    public void KernelClocks_GiveTheirStates()
    {
        MemoryTrace trace = Named();
        for (int i = 0; i <= 10; i++)
        {
            int sample = i;
            trace.Event(i * 100_000, StackEventKind.CwndSample, told =>
            {
                told.Tcb = Tcb;
                told.Set(StackField.BusyTimeUs, sample * 60_000);
                told.Set(StackField.RcvWndLimitedUs, sample * 20_000);
                told.Set(StackField.SndBufLimitedUs, 0);
            });
        }

        ConnectionDirection direction = Direction(trace);
        Assert.Equal(400, Ms(direction, LimitState.Application));
        Assert.Equal(200, Ms(direction, LimitState.ReceiveWindow));
        Assert.Equal(400, Ms(direction, LimitState.CongestionWindow));
    }

    static ConnectionDirection Rounds(int cwnd, int window, int segments)
    {
        MemoryTrace trace = Named();
        for (int round = 0; round < 10; round++)
        {
            Send(trace, round * 20, (uint)(round * segments * Mss), segments, cwnd, window);
            Acknowledge(trace, ((round + 1) * 20) - (round < 9 ? 0.02 : 0), segments * Mss, cwnd, window);
        }

        return Direction(trace);
    }

    // Acknowledgments by the segments before them, 20 us apart, each of which is answered with a segment; the number before the first, and that of the last.
    static int Answered(MemoryTrace trace, int ms, int before, int[] acknowledged, int[] sent)
    {
        for (int i = 0; i < acknowledged.Length; i++)
        {
            (int at, int number) = ((ms * 1000) + (i * 20), acknowledged[i] * Mss);
            int bytes = number - before;
            before = number;
            trace.Event(at, StackEventKind.AckReceived, told => Fill(told, bytes, 10 * Mss, 1_000_000).Set(StackField.SeqNo, number));
            Segments(trace, at, [sent[i]]);
        }

        return before;
    }

    static void Segments(MemoryTrace trace, int micros, int[] segments)
    {
        for (int i = 0; i < segments.Length; i++)
        {
            int seq = segments[i] * Mss;
            trace.Event(micros + i, StackEventKind.SegmentSent, told => Fill(told, Mss, 10 * Mss, 1_000_000).Set(StackField.SeqNo, seq));
        }
    }

    static MemoryTrace Named() => new MemoryTrace().Event(-10, StackEventKind.Connected, told =>
    {
        told.Tcb = Tcb;
        (told.Local, told.Remote) = (Local, Remote);
    });

    static void Send(MemoryTrace trace, double ms, uint seq, int segments, int cwnd, int window)
    {
        trace.Event((long)(ms * 1000), StackEventKind.SendPosted, told =>
        {
            told.Tcb = Tcb;
            told.Set(StackField.Bytes, segments * Mss);
        });
        for (int i = 0; i < segments; i++)
        {
            uint at = seq + (uint)(i * Mss);
            trace.Event((long)(ms * 1000) + (i * 10), StackEventKind.SegmentSent, told => Fill(told, Mss, cwnd, window).Set(StackField.SeqNo, at));
        }
    }

    static void Acknowledge(MemoryTrace trace, double ms, int bytes, int cwnd, int window) =>
        trace.Event((long)(ms * 1000), StackEventKind.AckReceived, told => Fill(told, bytes, cwnd, window));

    static StackEvent Fill(StackEvent told, int bytes, int cwnd, int window)
    {
        told.Tcb = Tcb;
        told.Set(StackField.Bytes, bytes);
        told.Set(StackField.Cwnd, cwnd);
        told.Set(StackField.SndWnd, window);
        return told;
    }

    static ConnectionDirection Direction(MemoryTrace trace) => trace.Analyze().Connections.Single().FromClient;
}
