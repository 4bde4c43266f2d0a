using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Whose clock a writer keeps whose bursts come right after acknowledgments: that of the acknowledgments, or one of its own that happens to fall in with the
/// round trip. What waits for acknowledgments follows them closely, and its own distances vary as the round trip does; what has a clock of its own keeps its
/// distances, and follows the acknowledgments now sooner and now later. So the changes of both are compared. The default value has seen nothing.
/// </summary>
struct WriterClock
{
    float _gapNanos;
    float _delayNanos;
    float _gapChanges; // sums of absolute changes, nanoseconds
    float _delayChanges;
    byte _count;

    /// <summary>Whether the bursts keep a clock of their own: their distances vary by half as much as what they take to follow acknowledgments.</summary>
    public readonly bool IsOwn =>
        _count > Thresholds.Habit && _delayChanges > (2 * _gapChanges) + (_count * Thresholds.MinClockNoiseNanos);

    /// <summary>Takes in a burst that came right after an acknowledgment.</summary>
    /// <param name="gapNanos">Since the burst before, nanoseconds.</param>
    /// <param name="delayNanos">Since the acknowledgment, nanoseconds.</param>
    public void Add(long gapNanos, long delayNanos)
    {
        if (_count > 0)
        {
            _gapChanges += Math.Abs(gapNanos - _gapNanos);
            _delayChanges += Math.Abs(delayNanos - _delayNanos);
        }

        (_gapNanos, _delayNanos) = (gapNanos, delayNanos);
        if (++_count == Thresholds.MaxClockBursts)
        {
            (_count, _gapChanges, _delayChanges) = ((byte)(_count / 2), _gapChanges / 2, _delayChanges / 2); // what it does of late counts
        }
    }
}
