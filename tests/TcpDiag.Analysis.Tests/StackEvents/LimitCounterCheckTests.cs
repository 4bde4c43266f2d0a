using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>Counters of a stack beside the limits that were judged: 1 s of active time, in a connection that the trace shows for 1.2 s.</summary>
public sealed class LimitCounterCheckTests
{
    const long Active = 1_000_000_000; // ns
    const long Life = 1_200_000_000;

    // Pacing, recovery, timeouts and reassembly are congestion control's; the send buffer and pauses are the sender's.
    [Fact]
    public void Compare_StatesThatTheStackKnowsAsOne_AreCompared()
    {
        ConnectionDirection direction = Judged(
            (LimitState.ReceiveWindow, 300), (LimitState.CongestionWindow, 100), (LimitState.Pacing, 50), (LimitState.Recovery, 50), (LimitState.Timeout, 60),
            (LimitState.Reassembly, 40), (LimitState.SendBuffer, 150), (LimitState.Application, 150), (LimitState.Idle, 100));
        direction = LimitCounterCheck.Compare(direction, Counted(300, 300, 600));
        Assert.True(direction.LimitCounters is { IsComparable: true, Disagreement: null, Samples: 1 });
    }

    // 4.9 points are as good as none; a whole tick less than the clock resolves is none either.
    [Theory]
    [InlineData(551, false)]
    [InlineData(550, true)]
    public void Compare_Difference_FromFivePointsOn(int window, bool disagrees)
    {
        ConnectionDirection direction = Judged((LimitState.ReceiveWindow, 600), (LimitState.SendBuffer, 400));
        direction = LimitCounterCheck.Compare(direction, Counted(window, 0, 1100 - window));
        Assert.Equal(disagrees ? new(LimitState.ReceiveWindow, LimitState.Application, 0.05) : null, direction.LimitCounters!.Disagreement);
    }

    [Fact]
    public void Compare_SenderLimited_NamesWhatWasJudged()
    {
        ConnectionDirection direction = Judged((LimitState.SendBuffer, 700), (LimitState.Application, 300));
        direction = LimitCounterCheck.Compare(direction, Counted(0, 900, 200));
        Assert.Equal(new(LimitState.SendBuffer, LimitState.CongestionWindow, 0.9), direction.LimitCounters!.Disagreement);
    }

    // The times differ by a third; by two ticks of 15.6 ms they cannot be stack.
    [Fact]
    public void Compare_BriefTransfer_IsWithinTheClock()
    {
        var direction = new ConnectionDirection { ActiveTime = 90_000_000, Limits = Spent((LimitState.ReceiveWindow, 60), (LimitState.CongestionWindow, 30)) };
        direction = LimitCounterCheck.Compare(direction, Counted(30, 60, 1000));
        Assert.True(direction.LimitCounters is { IsComparable: true, Disagreement: null });
    }

    // Switched on late: 940 of 1,000 ms. Of a longer life: more than 1.2 s / 0.95 + 1 s. And what packets do not show cannot be compared.
    [Theory]
    [InlineData(940, 0, false)]
    [InlineData(950, 0, true)]
    [InlineData(2263, 0, true)]
    [InlineData(2264, 0, false)]
    [InlineData(1000, 60, false)]
    public void Compare_WhatDoesNotFitTheTimeSeen_IsNotCompared(int counted, int unseen, bool isComparable)
    {
        ConnectionDirection direction = Judged((LimitState.CongestionWindow, 1000 - unseen), (LimitState.NotJudged, unseen));
        direction = LimitCounterCheck.Compare(direction, Counted(0, counted, 0));
        Assert.Equal(isComparable, direction.LimitCounters!.IsComparable);
    }

    [Fact]
    public void Compare_NothingCounted_IsNothing()
    {
        ConnectionDirection direction = Judged((LimitState.CongestionWindow, 1000));
        direction = LimitCounterCheck.Compare(direction, Counted(0, 0, 0));
        Assert.Null(direction.LimitCounters);
    }

    // Nine events 100 ms apart: up to the fifth, bytes are counted to the window alone, from there on a quarter of them.
    [Fact]
    public void Summarise_BytesAlone_DivideTheTimeBetween()
    {
        var stack = new StackConnection(new SenderExtras()) { Start = default };
        for (int i = 0; i <= 8; i++)
        {
            int window = 1000 * i;
            int later = i > 4 ? 3000 * (i - 4) : 0;
            stack.FollowLimits(Bytes(i * 100_000_000L, window, later));
        }

        Assert.Equal(new(500_000_000, 300_000_000, 0), stack.Counters!.Times); // 4 · 100 + 4 · 25, 4 · 75 ms
        Assert.Equal(new(8000, 12_000, 0), stack.Counters.Bytes);
        Assert.True(stack.Counters is { IsTimeByBytes: true, Samples: 9 });
    }

    static ConnectionDirection Judged(params (LimitState State, int Ms)[] spent) => new() { ActiveTime = Active, Limits = Spent(spent) };

    static LimitSummary Spent(params (LimitState State, int Ms)[] spent)
    {
        var times = default(LimitTimes);
        foreach ((LimitState state, int ms) in spent)
        {
            times.Add(state, ms * 1_000_000L);
        }

        return new(times, Evidence.Packets, 7);
    }

    static StackConnection Counted(int window, int congestion, int sender)
    {
        StackEvent summary = Bytes(Life, window, congestion);
        summary.Set(StackField.LimitedTimeReceiver, window);
        summary.Set(StackField.LimitedTimeCwnd, congestion);
        summary.Set(StackField.LimitedTimeSender, sender);
        var stack = new StackConnection(new SenderExtras()) { Start = default, Last = new TraceTime(Life) };
        stack.FollowLimits(summary);
        return stack;
    }

    static StackEvent Bytes(long time, int window, int congestion)
    {
        var stack = new StackEvent();
        stack.Reset(StackEventKind.LimitingFactor, new TraceTime(time), "test");
        stack.Tcb = 1;
        stack.Set(StackField.LimitedBytesReceiver, window);
        stack.Set(StackField.LimitedBytesCwnd, congestion);
        stack.Set(StackField.LimitedBytesSender, 0);
        return stack;
    }
}
