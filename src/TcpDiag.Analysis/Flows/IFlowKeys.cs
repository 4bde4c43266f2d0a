using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>Knows which 4-tuples the numbers of a <see cref="FlowIndex"/> stand for.</summary>
interface IFlowKeys
{
    /// <summary>Whether a number stands for a 4-tuple.</summary>
    /// <param name="value">A number that was added, or put in the place of one.</param>
    /// <param name="key">The 4-tuple.</param>
    /// <returns>True when it does.</returns>
    bool Is(int value, in FlowKey key);
}
