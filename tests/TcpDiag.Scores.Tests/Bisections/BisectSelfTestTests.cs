using System.Linq;
using TcpDiag.Scores.Bisections;
using Xunit;

namespace TcpDiag.Scores.Tests.Bisections;

/// <summary>Searches whose truth is known, on chains that nothing was made with.</summary>
public sealed class BisectSelfTestTests
{
    const int FewChains = 3;
    const int Chains = 200;

    [Theory]
    [InlineData(0.013, false, -0.15)]
    [InlineData(0.05, true, 0.15)]
    [InlineData(0.05, true, 0)]
    public void Run_InterruptedAfterEachRun_LeavesTheSameJournal(double deviation, bool isHeavyTailed, double change)
    {
        BisectSelfTest test = new(new BisectNoise(deviation, isHeavyTailed), change, 2026);
        Assert.All(Enumerable.Range(0, FewChains).Select(test.Run), trial => Assert.True(trial.IsResumable));
    }

    [Theory]
    [InlineData(0.013, false, -0.15)]
    [InlineData(0.05, true, -0.15)]
    [InlineData(0.05, true, 0)]
    [Trait("Needs", "time")]
    public void Run_IsRightInNearlyAllChains(double deviation, bool isHeavyTailed, double change)
    {
        BisectSelfTest test = new(new BisectNoise(deviation, isHeavyTailed), change, 1124);
        BisectTrial[] trials = [.. Enumerable.Range(0, Chains).Select(test.Run)];
        Assert.InRange(trials.Count(trial => trial.IsRight), 0.95 * Chains, Chains);
        Assert.All(trials, trial => Assert.True(trial.IsResumable));
    }
}
