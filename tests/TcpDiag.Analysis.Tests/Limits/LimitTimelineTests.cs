using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Results;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Time by state; instants in nanoseconds.</summary>
public sealed class LimitTimelineTests
{
    const int States = (int)OpenState.StaleSacks + 1;

    readonly SenderExtras _extras = new();
    LimitTimeline _timeline;

    // In state n: n + 1 ns, in packet 100 + n. All states together are more than have their room in the timeline.
    [Fact]
    public void Add_InEveryState_IsKeptApart()
    {
        AddEverywhere();
        for (int state = 0; state < States; state++)
        {
            Assert.Equal(state + 1, _timeline.In((OpenState)state));
        }

        for (LimitState state = 0; (int)state < LimitTimes.States; state++)
        {
            LimitSpan longest = _timeline.Longest(state);
            Assert.Equal(((int)state + 1, 100 + (int)state), (longest.To - longest.From, longest.FirstPacket));
        }
    }

    // All others move to state 0: the longest span is that of the last.
    [Fact]
    public void Decide_EverythingToOneState_LeavesNothingElsewhere()
    {
        AddEverywhere();
        for (int state = 1; state < States; state++)
        {
            _timeline.Decide((OpenState)state, OpenState.Application);
            Assert.Equal(0, _timeline.In((OpenState)state));
        }

        Assert.Equal(States * (States + 1) / 2, _timeline.In(OpenState.Application));
        LimitSpan longest = _timeline.Longest(LimitState.Application);
        Assert.Equal((States, 100 + States - 1), (longest.To - longest.From, longest.FirstPacket));
    }

    [Fact]
    public void Decide_FromWhereNothingIs_ChangesNothing()
    {
        _timeline.Add(OpenState.Idle, new(0), new(5));
        _timeline.Decide(OpenState.FullFlight, OpenState.Idle);
        Assert.Equal(5, _timeline.In(OpenState.Idle));
    }

    [Fact]
    public void Detach_OfACopy_LeavesTheOtherAsItIs()
    {
        AddEverywhere();
        LimitTimeline copy = _timeline;
        copy.Detach();
        for (int state = 0; state < States; state++)
        {
            copy.Add((OpenState)state, new(1_000), new(2_000));
        }

        for (int state = 0; state < States; state++)
        {
            Assert.Equal(state + 1, _timeline.In((OpenState)state));
        }

        copy.Release();
        Assert.Equal(1, _extras.Times.InUse);
        _timeline.Release();
        Assert.Equal(0, _extras.Times.InUse);
    }

    // Backwards, so that positions are not the numbers of states.
    void AddEverywhere()
    {
        for (int state = States - 1; state >= 0; state--)
        {
            _timeline.Begin(100 + state, _extras);
            _timeline.Add((OpenState)state, new(0), new(state + 1));
        }
    }
}
