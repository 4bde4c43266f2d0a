using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Clocks;
using Xunit;

namespace TcpDiag.Locate.Tests;

/// <summary>How two clocks stand to each other, from packets whose delays are known.</summary>
public sealed class ClockFitTests
{
    const long Millisecond = 1_000_000;
    const long There = 5 * Millisecond;
    const long Back = 20 * Millisecond;

    [Fact]
    public void Fit_OfOneOffset_IsOffByHalfOfTheDifferenceOfBothWays()
    {
        ClockRelation relation = ClockFit.Fit(Samples(_ => 3_600_000 * Millisecond));

        Assert.True(relation.IsKnown);
        Assert.Equal(3_600_000.0 * Millisecond - ((Back - There) / 2), relation.Offset, 1.0);
        Assert.Equal((There + Back) / 2, relation.Bound, 1.0);
    }

    /// <summary>The step comes so late that too few packets follow it: it cannot be found, so the bound has to hold before and behind it.</summary>
    [Theory]
    [InlineData(500, 790)]
    [InlineData(-500, 790)]
    [InlineData(500, 12)]
    [InlineData(60, 795)]
    public void Bound_WhereAStepIsNotFound_HoldsOnBothSidesOfIt(long stepMillis, long atMillis)
    {
        long OffsetAt(long nanos) => nanos < atMillis * Millisecond ? 0 : stepMillis * Millisecond;
        ClockRelation relation = ClockFit.Fit(Samples(OffsetAt));

        Assert.Empty(relation.Steps); // else this says nothing about what is not found
        double[] errors = [Math.Abs(relation.Offset), Math.Abs(relation.Offset - (stepMillis * Millisecond))];
        Assert.InRange(errors.Max(), 0, relation.Bound);
    }

    // A transfer of 0.8 s: a packet there and one back every 10 ms.
    static List<ClockSample> Samples(Func<long, long> offsetAt)
    {
        var samples = new List<ClockSample>();
        for (long sent = 0; sent < 800 * Millisecond; sent += 10 * Millisecond)
        {
            samples.Add(new ClockSample(sent, sent + There + offsetAt(sent + There), IsFromClient: true));
            long answered = sent + There;
            samples.Add(new ClockSample(answered + Back, answered + offsetAt(answered), IsFromClient: false));
        }

        return [.. samples.OrderBy(sample => sample.Near)];
    }
}
