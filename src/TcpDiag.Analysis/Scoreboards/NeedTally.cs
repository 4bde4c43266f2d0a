using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>Wire segments by <see cref="RetransmissionNeed"/>.</summary>
[InlineArray(Needs)]
struct NeedTally
{
    /// <summary>Values of <see cref="RetransmissionNeed"/>.</summary>
    public const int Needs = 4;

    long _first;

    /// <summary>All of them.</summary>
    public readonly long Total => this[0] + this[1] + this[2] + this[3];

    /// <summary>The tally as a result.</summary>
    /// <returns>The same numbers by their names.</returns>
    public readonly NeedCounts ToCounts() => new(
        this[(int)RetransmissionNeed.Necessary],
        this[(int)RetransmissionNeed.Spurious],
        this[(int)RetransmissionNeed.LikelySpurious],
        this[(int)RetransmissionNeed.Unknown]);
}
