using System.Collections.Generic;

namespace TcpDiag.Analysis.Limits;

/// <summary>What limited the sender of one direction, over its active time.</summary>
/// <param name="Times">Time in each state; the total is <see cref="ConnectionDirection.ActiveTime"/> exactly.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Samples">Intervals that were judged.</param>
public sealed record LimitSummary(LimitTimes Times, Evidence Evidence, long Samples)
{
    /// <summary>
    /// Part of the congestion window's time that could as well be pacing's or a send buffer's, nanoseconds: away from the sender, data that comes all the time does not show
    /// what holds its amount, nor whose the last round of slow start was where a send buffer shows behind it.
    /// </summary>
    public long Uncertain { get; init; }

    /// <summary>The longest span of each state that took a good part of the time; none from events alone.</summary>
    public IReadOnlyList<LimitSpan> Spans { get; init; } = [];

    /// <summary>What was in flight while the send buffer was the limit, bytes: its size; null when it was not, or its level is not known.</summary>
    public int? SendBufferBytes { get; init; }

    /// <summary>
    /// Part of the send buffer's time, nanoseconds, in which the next data came long after an acknowledgment had made room: the machine woke a blocked writer late, or the program
    /// paused just when it had filled the buffer. Both look alike. All of that time where no receive window is known: one that is full looks like a full buffer.
    /// </summary>
    public long UncertainSendBuffer { get; init; }
}
