using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Analysis.Tests.Timelines;

/// <summary>What a series keeps when it holds more than it may.</summary>
public sealed class SeriesTests
{
    static Series<T> Of<T>(int most, params T[] items)
        where T : struct, IMergeable<T>
    {
        var series = new Series<T>(new TimelineBudget { ItemsPerSeries = most });
        foreach (T item in items)
        {
            series.Add(item);
        }

        return series;
    }

    static Mark MarkAt(long time, MarkKind kind, long from = 0) => new(time, kind, StackEventKind.None, from, from + 10, time, 1);

    [Fact]
    public void Add_RoomLeft_KeepsEachItem()
    {
        Series<TrackPoint> series = Of(8, [.. Enumerable.Range(0, 8).Select(i => TrackPoint.At(i, i * i))]);
        Assert.Equal([0, 1, 4, 9, 16, 25, 36, 49], series.Items.ToArray().Select(point => point.Last));
    }

    // Nine samples, room for eight: stretches of 2 ns give 4 points of the first eight; the ninth stands alone.
    [Fact]
    public void Add_NoRoomLeft_MergesNeighboursAndKeepsOutliers()
    {
        Series<TrackPoint> series = Of(8, [.. new long[] { 5, 1, 2, 9, 3, 3, 0, 4, 7 }.Select((value, i) => TrackPoint.At(i, value))]);
        Assert.Equal(
            [new TrackPoint(0, 1, 5, 1, 5, 1), new(2, 1, 2, 2, 9, 9), new(4, 1, 3, 3, 3, 3), new(6, 1, 0, 0, 4, 4), new(8, 0, 7, 7, 7, 7)],
            series.Items.ToArray());
    }

    [Fact]
    public void Add_MarksOfDifferentKinds_AreNotMerged()
    {
        Series<Mark> series = Of(4, MarkAt(0, MarkKind.Rst), MarkAt(1, MarkKind.Late, 50), MarkAt(2, MarkKind.Late, 20), MarkAt(3, MarkKind.Rst),
            MarkAt(4, MarkKind.Syn));
        Assert.Equal(
            [MarkAt(0, MarkKind.Rst) with { Count = 2 }, MarkAt(1, MarkKind.Late, 20) with { To = 60, Count = 2 }, MarkAt(4, MarkKind.Syn)],
            series.Items.ToArray());
    }

    [Fact]
    public void Reduce_LimitIntervals_KeepsTheTimeOfEachState()
    {
        Series<LimitInterval> series = Of(
            8,
            new LimitInterval(0, 3, LimitState.Application),
            new(3, 2, LimitState.CongestionWindow),
            new(5, 7, LimitState.Application),
            new(12, 4, LimitState.Recovery));
        series.Reduce(3);
        Assert.Equal(
            [new LimitInterval(0, 10, LimitState.Application), new(3, 2, LimitState.CongestionWindow), new(12, 4, LimitState.Recovery)],
            series.Items.ToArray());
    }

    [Fact]
    public void Add_AnySamples_StaysWithinBoundsAndLosesNoExtreme() => Prop.ForAll<NonEmptyArray<PositiveInt>>(steps =>
    {
        var series = new Series<TrackPoint>(new TimelineBudget { ItemsPerSeries = 16 });
        long time = 0;
        foreach (PositiveInt step in steps.Get)
        {
            time += step.Get % 100;
            series.Add(TrackPoint.At(time, step.Get));
        }

        TrackPoint[] points = series.Items.ToArray();
        int[] values = [.. steps.Get.Select(step => step.Get)];
        return points.Length <= 16
            && points.Min(point => point.Min) == values.Min() && points.Max(point => point.Max) == values.Max()
            && points[0].First == values[0] && points[^1].Last == values[^1]
            && points.Zip(points.Skip(1)).All(pair => pair.First.Time + pair.First.Span <= pair.Second.Time);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Budget_CountsWhatIsHeld()
    {
        var budget = new TimelineBudget { ItemsPerSeries = 128 };
        var series = new Series<TrackPoint>(budget);
        for (int i = 0; i < 1000; i++)
        {
            series.Add(TrackPoint.At(i, i));
        }

        Assert.Equal(128, budget.Held);
        series.Reduce(10);
        Assert.Equal(series.Items.Length, budget.Held);
        Assert.InRange(budget.Held, 5, 10);
    }
}
