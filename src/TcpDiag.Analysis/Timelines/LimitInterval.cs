using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Timelines;

/// <summary>
/// A stretch of time in one limit state. The intervals of a direction follow each other without gaps, so a later one's
/// place is where the earlier ones end; merged intervals keep the time in each state exactly, not its order.
/// </summary>
/// <param name="Time">Its beginning when it was recorded, ns since the Unix epoch.</param>
/// <param name="Duration">How long it lasted, ns.</param>
/// <param name="State">What limited the sender.</param>
public readonly record struct LimitInterval(long Time, long Duration, LimitState State) : IMergeable<LimitInterval>
{
    /// <inheritdoc/>
    public bool IsLike(in LimitInterval other) => State == other.State;

    /// <inheritdoc/>
    public LimitInterval With(in LimitInterval later) => this with { Duration = Duration + later.Duration };
}
