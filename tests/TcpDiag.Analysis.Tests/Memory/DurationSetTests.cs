using TcpDiag.Analysis.Memory;
using Xunit;

namespace TcpDiag.Analysis.Tests.Memory;

/// <summary>Quantiles of durations: of few exactly, of many by a histogram.</summary>
public sealed class DurationSetTests
{
    // 1, 2 … ms; the tenth part is the first of eight, the second of twenty, the hundredth of a thousand.
    [Theory]
    [InlineData(8, 1_000_000)]
    [InlineData(20, 2_000_000)]
    [InlineData(1000, 100_000_000)]
    public void Quantile_OfATenth_IsTheNearestRank(int count, long expected)
    {
        var sets = new DurationSets();
        DurationSet samples = default;
        for (int i = count; i > 0; i--)
        {
            sets.Add(ref samples, i * 1_000_000L);
        }

        Assert.InRange(sets.Quantile(samples, 10), expected * 0.968, expected * 1.032);
        sets.Release(ref samples);
        Assert.Equal(0, sets.Quantile(samples, 10));
    }
}
