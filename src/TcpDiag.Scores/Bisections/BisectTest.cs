using System;
using System.Linq;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Bisections;

/// <summary>
/// The runs of one step, an item against the good end, as a sequential test. The first step tests the bad end, and finds by how much the two ends differ; of
/// each later item it is asked on which side of the middle between them it lies.
/// </summary>
public sealed class BisectTest
{
    // A figure of 0, where nothing came, lies below all others: as for compare.
    const double Beyond = -1000;

    // A factor of 7: of a greater change the middle need not be known better.
    const double GreatChange = 2;

    readonly SequentialPairs _pairs;
    readonly BisectTest? _ends;
    readonly double _margin;

    /// <summary>Tests the runs of a step.</summary>
    /// <param name="step">The step.</param>
    /// <param name="good">The good end.</param>
    /// <param name="error">Chance that the interval, ever, does not hold the true ratio.</param>
    /// <param name="margin">Differences that do not matter.</param>
    /// <param name="ends">The test of the bad end; null where this is it.</param>
    internal BisectTest(BisectStep step, string good, double error, double margin, BisectTest? ends)
    {
        Error = error;
        _ends = ends;
        _margin = margin;
        _pairs = new SequentialPairs(error, margin);
        foreach (IGrouping<long, BisectRun> pair in step.Runs.GroupBy(run => run.Seed))
        {
            if (pair.ToArray() is [{ Figure: { } first }, { Figure: { } second } last] && first + second > 0)
            {
                double change = LogOf(second) - LogOf(first);
                _pairs.Add(string.Equals(last.Item, good, StringComparison.Ordinal) ? -change : change);
            }
        }

        VoidRuns = step.Runs.Count(run => run.Fault is not null);
    }

    /// <summary>Chance that the interval, ever, does not hold the true ratio.</summary>
    public double Error { get; }

    /// <summary>Pairs that count.</summary>
    public int Pairs => _pairs.Count;

    /// <summary>Runs that do not.</summary>
    public int VoidRuns { get; }

    /// <summary>The item's figure over that of the good end; NaN without pairs.</summary>
    public double Ratio => Math.Exp(_pairs.LogRatio);

    /// <summary>The ratios that are not rejected.</summary>
    public Interval Interval => _pairs.Ratio;

    /// <summary>The ratio that later items are held against, where this is the test of the ends.</summary>
    public double Middle => Math.Exp(IsLower ? -LogMiddle : LogMiddle);

    /// <summary>Whether the item is certainly neither like the good end nor like the bad one: the change is not one step.</summary>
    public bool IsBetween => _ends is { } ends && Toward(ends).Low > 0 && Toward(ends).High < ends.NearBound;

    /// <summary>What the runs say.</summary>
    /// <param name="isLast">Whether there will be no more of them.</param>
    /// <returns>Good, bad, or null where they do not say.</returns>
    internal BisectVerdict? Verdict(bool isLast) => _ends is { } ends ? AgainstMiddle(ends) : OfEnds(isLast);

    // Good and bad are known by name; the runs say whether they differ. The better this is known, the sooner the later steps are decided.
    BisectVerdict? OfEnds(bool isLast) => _pairs.Verdict switch
    {
        SequentialVerdict.Equal => BisectVerdict.Good,
        SequentialVerdict.Higher or SequentialVerdict.Lower when isLast || NearBound >= HalfOfChange => BisectVerdict.Bad,
        _ => null,
    };

    // A good item is 0 away from the good end, a bad one as far as the bad end, and so at least its near bound. Whatever lies between decides without more
    // error than that of the intervals.
    BisectVerdict? AgainstMiddle(BisectTest ends)
    {
        Interval toward = Toward(ends);
        return toward.Low > ends.LogMiddle ? BisectVerdict.Bad : toward.High < ends.LogMiddle ? BisectVerdict.Good : null;
    }

    // Where the bad end is lower, all is turned round.
    Interval Toward(BisectTest ends) => ends.IsLower ? new Interval(-_pairs.LogInterval.High, -_pairs.LogInterval.Low) : _pairs.LogInterval;

    bool IsLower => _pairs.LogRatio < 0;

    double HalfOfChange => Math.Min(Math.Abs(_pairs.LogRatio), GreatChange) / 2;

    double LogMiddle => Math.Min(NearBound, HalfOfChange);

    double NearBound => IsLower ? -_pairs.LogInterval.High : _pairs.LogInterval.Low;

    static double LogOf(double figure) => figure > 0 ? Math.Log(figure) : Beyond;
}
