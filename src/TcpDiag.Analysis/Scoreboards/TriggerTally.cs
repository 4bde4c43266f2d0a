using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>Wire segments by <see cref="RetransmissionTrigger"/>.</summary>
[InlineArray(Triggers)]
struct TriggerTally
{
    /// <summary>Values of <see cref="RetransmissionTrigger"/>.</summary>
    public const int Triggers = 5;

    long _first;

    /// <summary>The tally as a result.</summary>
    /// <returns>The same numbers by their names.</returns>
    public readonly TriggerCounts ToCounts() => new(
        this[(int)RetransmissionTrigger.Fast],
        this[(int)RetransmissionTrigger.Tlp],
        this[(int)RetransmissionTrigger.Rto],
        this[(int)RetransmissionTrigger.LostRetransmission],
        this[(int)RetransmissionTrigger.Unknown]);
}
