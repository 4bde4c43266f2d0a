using System;
using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class SequentialPairsTests
{
    const int MaxPairs = 60;

    // Equal pairs of ratio 1.2. Shifts far below are rejected last: there each score is cut at 0.3. Of eleven S = 3.3 and V = 0.99, and the exponent is
    // 100 · 3.3² / (2 · (1 + 99)) − ln(1 + 99) / 2 = 5.45 − 2.30 = 3.14, above ln 20 = 3.00. Of ten it is 900 / 182 − ln 91 / 2 = 2.69.
    [Fact]
    public void EqualPairs_AreDecidedWhereTheArithmeticSays()
    {
        var test = new SequentialPairs(0.05, 0);
        for (int i = 0; i < 10; i++)
        {
            test.Add(Math.Log(1.2));
        }

        Assert.Equal(SequentialVerdict.Open, test.Verdict);
        test.Add(Math.Log(1.2));
        Assert.Equal(SequentialVerdict.Higher, test.Verdict);
    }

    // Looked at after every pair, up to 60 of them: Student's t with three degrees of freedom, 1.3, 10 and 30 % wide.
    [Theory]
    [InlineData(0.013)]
    [InlineData(0.1)]
    [InlineData(0.3)]
    [Trait("Needs", "time")]
    public void NoDifference_IsSeldomCalledOne_HoweverOftenOneLooks(double width)
    {
        var random = new Random(20_261_124);
        int wrong = Enumerable.Range(0, 1000).Count(_ => VerdictOf(random, 0, width) is SequentialVerdict.Higher or SequentialVerdict.Lower);
        Assert.InRange(wrong, 0, 50);
    }

    // Four cells that share one error, each looked at after every pair until it is decided: reports in which any is called different.
    [Theory]
    [InlineData(0.1)]
    [InlineData(0.3)]
    [Trait("Needs", "time")]
    public void NoDifference_InAnyOfFourCells_IsSeldomCalledOne(double width)
    {
        const int Cells = 4;
        var random = new Random(31);
        int wrong = Enumerable.Range(0, 1000).Count(_ => Enumerable.Range(0, Cells).Any(_ =>
            VerdictOf(random, 0, width, error: 0.05 / Cells) is SequentialVerdict.Higher or SequentialVerdict.Lower));
        Assert.InRange(wrong, 0, 50);
    }

    [Theory]
    [InlineData(0.013, 0.10, 12)]
    [InlineData(0.1, 0.18, 40)]
    [Trait("Needs", "time")]
    public void Changes_AreFound(double width, double shift, int pairs)
    {
        var random = new Random(7);
        int found = Enumerable.Range(0, 200).Count(_ => VerdictOf(random, shift, width, pairs) == SequentialVerdict.Higher);
        Assert.InRange(found, 180, 200);
    }

    [Fact]
    public void SmallNoise_WithoutDifference_IsEqual() =>
        Assert.Equal(SequentialVerdict.Equal, VerdictOf(new Random(3), 0, 0.013));

    // A difference of 2 % that is certain does not matter all the same: it is equal, and never higher.
    [Fact]
    public void DifferenceWithinTheMargin_IsNoVerdict()
    {
        var test = new SequentialPairs(0.05, 0.05);
        while (test.Count < MaxPairs && test.Verdict == SequentialVerdict.Open)
        {
            test.Add(0.02);
        }

        Assert.Equal(SequentialVerdict.Equal, test.Verdict);
        Assert.InRange(test.LogInterval.Low, -0.048, 0.02);
        Assert.InRange(test.LogInterval.High, 0.02, 0.048);
    }

    // Beyond all ratios that are asked about: the interval says so, and has no upper end.
    [Fact]
    public void EndlessRatios_HaveAnIntervalWithoutEnd()
    {
        (SequentialPairs up, SequentialPairs down) = (new(0.05, 0.05), new(0.05, 0.05));
        for (int i = 0; i < 20; i++)
        {
            up.Add(1000);
            down.Add(-1000);
        }

        Assert.Equal((SequentialVerdict.Higher, double.PositiveInfinity), (up.Verdict, up.Ratio.High));
        Assert.InRange(up.Ratio.Low, 19, 21);
        Assert.Equal((SequentialVerdict.Lower, 0), (down.Verdict, down.Ratio.Low));
        Assert.InRange(down.Ratio.High, 1 / 21.0, 1 / 19.0);
    }

    [Fact]
    public void NothingAdded_HasNoBounds()
    {
        var test = new SequentialPairs(0.05, 0.05);
        Assert.Equal((SequentialVerdict.Open, new Interval(0, double.PositiveInfinity)), (test.Verdict, test.Ratio));
    }

    // How often a sequence that is looked at after each of 60 pairs ever leaves out the truth, wherever that lies between the shifts that are asked about.
    [Theory]
    [InlineData(-0.163)]
    [InlineData(0.0471)]
    [Trait("Needs", "time")]
    public void Interval_HoldsTheTruth_HoweverOftenOneLooks(double shift)
    {
        var random = new Random(5);
        int missed = Enumerable.Range(0, 1000).Count(_ =>
        {
            var test = new SequentialPairs(0.05, 0.05);
            for (int i = 0; i < MaxPairs; i++)
            {
                test.Add(shift + (0.1 * Student(random)));
            }

            return test.LogInterval.Low > shift || test.LogInterval.High < shift;
        });
        Assert.InRange(missed, 0, 50);
    }

    [Fact]
    public void ExchangedSides_ExchangeTheVerdict()
    {
        (SequentialPairs one, SequentialPairs other) = (new(0.05, 0.05), new(0.05, 0.05));
        for (int i = 0; i < 20; i++)
        {
            one.Add(Math.Log((125 + i) / 100.0));
            other.Add(Math.Log(100 / (125.0 + i)));
        }

        Assert.Equal((SequentialVerdict.Higher, SequentialVerdict.Lower), (one.Verdict, other.Verdict));
    }

    static SequentialVerdict VerdictOf(Random random, double shift, double width, int pairs = MaxPairs, double error = 0.05)
    {
        var test = new SequentialPairs(error, 0.05);
        while (test.Count < pairs && test.Verdict == SequentialVerdict.Open)
        {
            test.Add(shift + (width * Student(random)));
        }

        return test.Verdict;
    }

    static double Student(Random random)
    {
        double squares = Enumerable.Range(0, 3).Sum(_ => Math.Pow(Normal(random), 2));
        return Normal(random) / Math.Sqrt(squares / 3);
    }

    static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
