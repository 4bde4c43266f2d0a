using System.Linq;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>What the stacks differ in, as it shows on the wire.</summary>
public sealed class SenderVariantsTests
{
    static readonly int[] Builds = [10_586, 14_393, 16_299, 17_763, 18_363, 19_045, 20_348, 21_332, 22_000, 22_621, 26_100];

    [Theory]
    [InlineData(10_239, null)]
    [InlineData(10_586, "windows-10586")]
    [InlineData(16_299, "windows-15063")]
    [InlineData(18_363, "windows-18362")]
    [InlineData(20_348, "windows-19041")]
    [InlineData(22_000, "windows-22000")]
    [InlineData(26_100, "windows-22621")]
    public void Build_BelongsToItsLine(int build, string? name) => Assert.Equal(name, SenderVariants.FindBuild(build)?.Name);

    [Fact]
    public void EveryVariant_CompletesATransferThatLoses() => Assert.All(
        SenderVariants.Names.Select(SenderVariants.Find).Concat(Builds.Select(SenderVariants.FindBuild)),
        traits =>
        {
            SimulatedFlow flow = new() { Bytes = 2_000_000, Sender = traits! };
            SimulatedRun run = SimulatedRun.Over(flow, "rtt 25ms", "rate 20mbit", "loss 1pct", "reorder 1pct:add:2ms", "seed 3");
            Assert.True(run.Result.IsComplete, traits!.Name);
            Assert.True(run.Counts.Retransmissions > 0, traits.Name);
        });

    // Late by 15 ms with min_RTT/4 = 10 ms: a stack that adapts widens its window, one that is blind to DSACK goes on resending.
    [Fact]
    public void Reordering_CostsABlindStackMore()
    {
        long Resent(int build) => SimulatedRun.Over(
            new SimulatedFlow { Bytes = 20_000_000, Sender = SenderVariants.FindBuild(build)! }, "rtt 40ms", "rate 50mbit", "buffer 2bdp",
                "reorder 1pct:add:15ms")
            .Counts.Retransmissions;
        Assert.True(Resent(22_000) > 5 * Resent(22_621), $"{Resent(22_000)} against {Resent(22_621)}");
    }

    [Fact]
    public void Receivers_FollowTheSettingsOfTheLab()
    {
        Assert.False(ReceiverVariants.Linux("no-dsack").HasDsack);
        Assert.False(ReceiverVariants.Linux("no-sack").HasSack);
        Assert.Equal(50_000_000, ReceiverVariants.Windows(10_586).AckDelayNanos);
    }
}
