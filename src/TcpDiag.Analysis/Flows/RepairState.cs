using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>Gaps of a direction and its latest retransmission.</summary>
struct RepairState
{
    /// <summary>Gaps kept at once; of more, the oldest are forgotten.</summary>
    public const int MostGaps = 8;

    /// <summary>Gaps, in the order they appeared.</summary>
    public Holes Gaps;

    /// <summary>Gaps in use.</summary>
    public int GapCount;

    /// <summary>The latest retransmission with a TSval of its own, while <see cref="DirectionMarks.EchoAwaited"/>.</summary>
    public SendTime Echo;

    /// <summary>Its TSval.</summary>
    public uint EchoTsVal;

    [InlineArray(MostGaps)]
    public struct Holes
    {
        SequenceHole _first;
    }
}
