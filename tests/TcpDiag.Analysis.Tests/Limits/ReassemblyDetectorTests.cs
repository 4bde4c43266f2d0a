using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Recovery time during which SACKs report nothing new; instants in nanoseconds.</summary>
public sealed class ReassemblyDetectorTests
{
    LimitTimeline _timeline;
    ReassemblyDetector _stale;

    [Fact]
    public void AddRecovery_NoneStale_IsRecovery()
    {
        AddRecovery(10, 50);
        _stale.Settle(ref _timeline);
        Assert.Equal((40, 0), Times());
    }

    // Three at 20, 25 and 30: what lies before the first is recovery, whatever follows.
    [Fact]
    public void Settle_ThreeInARow_SplitsAtTheFirst()
    {
        Add(20, 25, 30);
        AddRecovery(10, 50);
        Assert.Equal((10, 0), Times()); // the rest waits
        _stale.Settle(ref _timeline);
        Assert.Equal((10, 30), Times());
        Assert.False(_stale.IsOpen);
    }

    [Fact]
    public void Settle_TwoInARow_IsRecoveryThroughout()
    {
        Add(20, 25);
        AddRecovery(10, 50);
        _stale.Settle(ref _timeline);
        Assert.Equal((40, 0), Times());
    }

    // News after two of them: the count begins anew.
    [Fact]
    public void Settle_NewsInBetween_BeginsAnew()
    {
        Add(20, 25);
        _stale.Settle(ref _timeline);
        Add(30);
        AddRecovery(10, 50);
        _stale.Settle(ref _timeline);
        Assert.Equal((40, 0), Times());
    }

    [Fact]
    public void AddKnown_ToldByTheStack_NeedsNoSecondOne()
    {
        _stale.AddKnown(new TraceTime(20));
        AddRecovery(10, 50);
        _stale.Settle(ref _timeline);
        Assert.Equal((10, 30), Times());
    }

    // The interval lies behind the first of them, or before it.
    [Theory]
    [InlineData(60, 90, 0, 30)]
    [InlineData(10, 20, 10, 0)]
    public void AddRecovery_OnOneSideOfTheFirst_IsNotSplit(long from, long to, long recovery, long reassembly)
    {
        Add(20, 25, 30);
        AddRecovery(from, to);
        _stale.Settle(ref _timeline);
        Assert.Equal((recovery, reassembly), Times());
    }

    void Add(params long[] times)
    {
        foreach (long time in times)
        {
            _stale.Add(new TraceTime(time));
        }
    }

    void AddRecovery(long from, long to) => _stale.AddRecovery(new TraceTime(from), new TraceTime(to), ref _timeline);

    (long Recovery, long Reassembly) Times() => (_timeline.In(OpenState.Recovery), _timeline.In(OpenState.Reassembly));
}
