using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>What packets and events say of the same 100 ms, joined.</summary>
public sealed class LimitJoinerTests
{
    const long Active = 100_000_000; // ns

    [Fact]
    public void Join_PacketsSilent_TakesTheEvents()
    {
        var direction = new ConnectionDirection { ActiveTime = Active };
        direction = LimitJoiner.Join(direction, Clocks(busy: 60, window: 20));
        Assert.Equal(Evidence.Events, direction.Limits?.Evidence);
        Assert.Equal(20_000_000, direction.Limits?.Times.In(LimitState.ReceiveWindow));
        Assert.Null(direction.LimitDisagreement);
    }

    [Fact]
    public void Join_BothCompare_KeepsThePacketsTimes()
    {
        ConnectionDirection direction = Packets((LimitState.ReceiveWindow, 20), (LimitState.CongestionWindow, 80));
        direction = LimitJoiner.Join(direction, Clocks(busy: 100, window: 20));
        Assert.Equal(Evidence.Both, direction.Limits?.Evidence);
        Assert.Equal(80_000_000, direction.Limits?.Times.In(LimitState.CongestionWindow));
        Assert.Null(direction.LimitDisagreement);
    }

    // The clocks of Linux count an application's pauses with data in flight as busy: only the receive window's is compared.
    [Theory]
    [InlineData(24, false)] // 4 points
    [InlineData(26, true)]
    public void Join_KernelClocks_CompareTheReceiveWindowOnly(int window, bool disagrees)
    {
        ConnectionDirection direction = Packets((LimitState.ReceiveWindow, 20), (LimitState.Application, 80));
        direction = LimitJoiner.Join(direction, Clocks(busy: 100, window));
        Assert.Equal(disagrees ? new(LimitState.CongestionWindow, LimitState.ReceiveWindow, 0.06) : null, Rounded(direction.LimitDisagreement));
    }

    // One segment of a wide-open window, acknowledged after 100 ms: the application; the packets showed a full congestion window half of the time.
    [Fact]
    public void Join_EventsOfSegments_CompareAllStates()
    {
        ConnectionDirection direction = Packets((LimitState.Application, 50), (LimitState.CongestionWindow, 50));
        direction = LimitJoiner.Join(direction, Segment());
        Assert.Equal(new(LimitState.CongestionWindow, LimitState.Application, 0.5), Rounded(direction.LimitDisagreement));
    }

    // Without the SYNs the scale of the window is not known to the packets: a full window looks like a full send buffer to them, not to the stack.
    [Fact]
    public void Join_WindowUnknownToPackets_TakesTheEvents()
    {
        ConnectionDirection direction = Packets((LimitState.SendBuffer, 100));
        direction = LimitJoiner.Join(direction with { MaxReceiveWindowBytes = null }, Segment());
        Assert.Equal(Evidence.Events, direction.Limits?.Evidence);
        Assert.Equal(Active, direction.Limits?.Times.In(LimitState.Application));
        Assert.Null(direction.LimitDisagreement);
    }

    [Fact]
    public void Join_LostEvents_SayNothing()
    {
        ConnectionDirection direction = Packets((LimitState.Application, 50), (LimitState.CongestionWindow, 50));
        StackConnection stack = Segment();
        stack.HasLostEvents = true;
        direction = LimitJoiner.Join(direction, stack);
        Assert.Equal(Evidence.Packets, direction.Limits?.Evidence);
        Assert.Null(direction.LimitDisagreement);
    }

    // The stack knows its window; packets only show what it let through.
    [Fact]
    public void Join_Cwnd_IsTheStacks()
    {
        ConnectionDirection direction = Packets((LimitState.Application, 100));
        var cwnd = new CwndSummary(9000, 8000, Evidence.Packets, 5);
        direction = LimitJoiner.Join(direction with { Cwnd = cwnd }, Segment());
        Assert.Equal(new CwndSummary(10_000, 10_000, Evidence.Both, 1), direction.Cwnd);
    }

    static LimitDisagreement? Rounded(LimitDisagreement? difference) =>
        difference is null ? null : difference with { Part = double.Round(difference.Part, 3) };

    static ConnectionDirection Packets(params (LimitState State, int Ms)[] spent)
    {
        var times = default(LimitTimes);
        foreach ((LimitState state, int ms) in spent)
        {
            times.Add(state, ms * 1_000_000L);
        }

        return new ConnectionDirection { ActiveTime = Active, MaxReceiveWindowBytes = 65_535, Limits = new(times, Evidence.Packets, 7) };
    }

    // Samples of tcp_info at both ends of the time.
    static StackConnection Clocks(int busy, int window)
    {
        var stack = new StackConnection(new SenderExtras()) { Start = default };
        stack.FollowLimits(Sample(0, 0, 0));
        stack.FollowLimits(Sample(Active, busy * 1000, window * 1000));
        return stack;
    }

    static StackEvent Sample(long time, long busy, long window)
    {
        StackEvent sample = Event(StackEventKind.CwndSample, time);
        sample.Set(StackField.BusyTimeUs, busy);
        sample.Set(StackField.RcvWndLimitedUs, window);
        sample.Set(StackField.SndBufLimitedUs, 0);
        return sample;
    }

    static StackConnection Segment()
    {
        var stack = new StackConnection(new SenderExtras()) { Start = default };
        StackEvent sent = Event(StackEventKind.SegmentSent, 0);
        sent.Set(StackField.SeqNo, 1);
        sent.Set(StackField.Bytes, 1000);
        sent.Set(StackField.Cwnd, 10_000);
        sent.Set(StackField.SndWnd, 65_535);
        stack.FollowLimits(sent);
        return stack;
    }

    static StackEvent Event(StackEventKind kind, long time)
    {
        var stack = new StackEvent();
        stack.Reset(kind, new TraceTime(time), "test");
        stack.Tcb = 1;
        return stack;
    }
}
