using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>Which packets are taken out of their order, and how.</summary>
public abstract record ReorderSettings
{
    private protected ReorderSettings()
    {
    }

    internal abstract ILinkStage CreateStage(Xoshiro256 random);
}

/// <summary>
/// A selected packet is delayed by d instead of the propagation delay and its jitter: with a small d it arrives early, ahead of everything under way.
/// </summary>
/// <param name="Chance">Which packets.</param>
/// <param name="DelayNanos">d in nanoseconds, counted from the end of serialisation.</param>
public sealed record ReplaceReordering(ChanceSettings Chance, long DelayNanos) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new ReplaceReorderingStage(new Chance(Chance, random), DelayNanos);
}

sealed class ReplaceReorderingStage(Chance chance, long delayNanos) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.DueAt += delayNanos - packet.PropagationNanos;
        packet.PropagationNanos = delayNanos;
        return ImpairmentAction.ReorderReplace;
    }
}

/// <summary>A selected packet is delayed by d on top of the path's delay: it arrives late.</summary>
/// <param name="Chance">Which packets.</param>
/// <param name="DelayNanos">d in nanoseconds.</param>
public sealed record AddReordering(ChanceSettings Chance, long DelayNanos) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new AddReorderingStage(new Chance(Chance, random), DelayNanos);
}

sealed class AddReorderingStage(Chance chance, long delayNanos) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.DueAt += delayNanos;
        return ImpairmentAction.ReorderAdd;
    }
}
