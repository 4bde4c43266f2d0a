using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>Which packets leave their order, and how.</summary>
public abstract record ReorderSettings
{
    private protected ReorderSettings()
    {
    }

    internal abstract ILinkStage CreateStage(Xoshiro256 random);
}
