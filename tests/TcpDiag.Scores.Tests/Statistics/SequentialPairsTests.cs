using System;
using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class SequentialPairsTests
{
    const int MostPairs = 60;

    // Equal pairs of ratio 1.2. Shifts far below are rejected last: there each score is cut at 0.3. Of eleven S = 3.3 and V = 0.99, and the exponent is
    // 100 · 3.3² / (2 · (1 + 99)) − ln(1 + 99) / 2 = 5.45 − 2.30 = 3.14, above ln 20 = 3.00. Of ten it is 900 / 182 − ln 91 / 2 = 2.69.
    [Fact]
    public void EqualPairs_AreDecidedWhereTheArithmeticSays()
    {
        var test = new SequentialPairs(0.05, 0);
        for (int i = 0; i < 10; i++)
        {
            test.Add(100, 120);
        }

        Assert.Equal(SequentialVerdict.Open, test.Verdict);
        test.Add(100, 120);
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

    [Fact]
    public void ExchangedSides_ExchangeTheVerdict()
    {
        (SequentialPairs one, SequentialPairs other) = (new(0.05, 0.05), new(0.05, 0.05));
        for (int i = 0; i < 20; i++)
        {
            one.Add(100, 125 + i);
            other.Add(125 + i, 100);
        }

        Assert.Equal((SequentialVerdict.Higher, SequentialVerdict.Lower), (one.Verdict, other.Verdict));
    }

    static SequentialVerdict VerdictOf(Random random, double shift, double width, int pairs = MostPairs)
    {
        var test = new SequentialPairs(0.05, 0.05);
        while (test.Count < pairs && test.Verdict == SequentialVerdict.Open)
        {
            test.Add(1, Math.Exp(shift + (width * Student(random))));
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
