using System;
using Xunit;

namespace TcpDiag.Impairment.Tests;

/// <summary>The 99 % interval of a binomial count, by its normal approximation.</summary>
static class Binomial
{
    // Two-sided 99 % quantile of the standard normal distribution.
    const double Z99 = 2.5758;

    public static void AssertPlausible(long chosen, long of, double probability)
    {
        double mean = of * probability;
        double half = Z99 * Math.Sqrt(of * probability * (1 - probability));
        Assert.InRange(chosen, mean - half, mean + half);
    }
}
