using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Whose clock a writer keeps whose bursts come right after acknowledgments: that of the acknowledgments, or one of its own that happens to fall in with the
/// round trip. What waits for acknowledgments follows them closely, and its own distances vary as the round trip does; what has a clock of its own keeps its
/// distances, and follows the acknowledgments now sooner and now later. So the changes of both are compared. Where the path does not vary at all, neither does
/// what a clock takes to follow it; but to be woken takes now more and now less. The default value has seen nothing.
/// </summary>
struct WriterClock
{
    float _gapNanos;
    float _delayNanos;
    float _gapChanges; // sums of absolute changes, nanoseconds, where one distance is like the one before
    float _delayChanges;
    float _delays; // of the same bursts, nanoseconds
    byte _evenGaps;
    byte _count;

    /// <summary>
    /// Whether their distances are alike, to a quarter: then they may be those of a clock of the writer's own, where not even the acknowledgments' instants at
    /// the sender show.
    /// </summary>
    public readonly bool IsEven => _evenGaps >= Thresholds.Habit && 4 * _evenGaps >= 3 * _count;

    /// <summary>
    /// Whether the bursts keep a clock of their own: their distances vary by half as much as what they take to follow acknowledgments, or that is longer than
    /// it takes to answer and always the same.
    /// </summary>
    public readonly bool IsOwn => IsEven
        && (_delayChanges > (2 * _gapChanges) + (_evenGaps * Thresholds.MinClockNoiseNanos)
            || (_delays > _evenGaps * Thresholds.MinAnswerNanos && Thresholds.SteadyDelayPart * _delayChanges <= _delays));

    /// <summary>Whether too few bursts came to tell, all of them at even distances.</summary>
    public readonly bool IsOpen => _evenGaps < Thresholds.MinClockBursts && 4 * (_evenGaps + 1) >= 3 * _count;

    /// <summary>Whether it is one of its own, and a burst that may be the stack's comes as the clock has it.</summary>
    /// <param name="gapNanos">Since the burst before, nanoseconds.</param>
    public readonly bool Keeps(long gapNanos) => IsOwn && Math.Abs(gapNanos - _gapNanos) <= Thresholds.MinClockNoiseNanos;

    /// <summary>Takes in a burst that came right after an acknowledgment.</summary>
    /// <param name="gapNanos">Since the burst before, nanoseconds.</param>
    /// <param name="delayNanos">Since the acknowledgment, nanoseconds.</param>
    public void Add(long gapNanos, long delayNanos)
    {
        float change = Math.Abs(gapNanos - _gapNanos);
        if (4 * change <= gapNanos) // else it waited for something else once
        {
            _gapChanges += change;
            _delayChanges += Math.Abs(delayNanos - _delayNanos);
            _delays += delayNanos;
            _evenGaps++;
        }

        (_gapNanos, _delayNanos) = (gapNanos, delayNanos);
        if (++_count == Thresholds.MaxClockBursts)
        {
            (_count, _evenGaps) = ((byte)(_count / 2), (byte)(_evenGaps / 2)); // what it does of late counts
            (_gapChanges, _delayChanges, _delays) = (_gapChanges / 2, _delayChanges / 2, _delays / 2);
        }
    }
}
