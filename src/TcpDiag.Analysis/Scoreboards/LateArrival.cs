using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>An original that came late.</summary>
/// <param name="Arrival">Its position among the originals that passed the capture point, from 1.</param>
/// <param name="Start">Its first number.</param>
readonly record struct LateArrival(long Arrival, SequenceNumber Start)
{
    /// <summary>The latest few: enough to know whether so many segments in a row overtook another.</summary>
    [InlineArray(ReorderingAccount.DupThresh)]
    public struct Few
    {
        LateArrival _first;
    }
}
