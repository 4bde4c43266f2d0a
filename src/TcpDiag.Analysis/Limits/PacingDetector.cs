using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Sends in a row at even distances. Both a paced sender and one that follows the acknowledgments of a busy path send like this: in the second
/// case nearly every send comes right after an acknowledgment, in the first only some do, by chance. An application that writes at even
/// distances ends each write with what does not fill a segment, a paced sender sends full ones. What the time of a run was is decided when it
/// has ended: until then it is <see cref="OpenState.EvenAnswered"/>, <see cref="OpenState.EvenUnanswered"/> or <see cref="OpenState.EvenWritten"/>.
/// </summary>
struct PacingDetector
{
    long _meanNanos;
    byte _sends;
    byte _answered;
    byte _full;

    /// <summary>Whether there is a run.</summary>
    public readonly bool IsAny => _sends > 0;

    /// <summary>Whether the sends of the run were paced.</summary>
    public readonly bool IsPaced => _sends >= Thresholds.MinEvenSends && 4 * _answered <= 3 * _sends && 4 * _full >= _sends;

    /// <summary>Whether a send continues the run.</summary>
    /// <param name="gapNanos">Time since the send before.</param>
    /// <returns>False when the run is over.</returns>
    public readonly bool Continues(long gapNanos) =>
        _sends is > 0 and < Thresholds.MaxEvenSends && Math.Abs(gapNanos - _meanNanos) <= _meanNanos / 2;

    /// <summary>Adds a send.</summary>
    /// <param name="gapNanos">Time since the send before.</param>
    /// <param name="isAnswer">Whether it came right after an acknowledgment.</param>
    /// <param name="endsFull">Whether the send before ended with a full segment, as if in the middle of a write.</param>
    public void Add(long gapNanos, bool isAnswer, bool endsFull)
    {
        _meanNanos = _sends == 0 ? gapNanos : _meanNanos + ((gapNanos - _meanNanos) / Thresholds.MinEvenSends);
        _sends++;
        _answered += isAnswer ? (byte)1 : (byte)0;
        _full += endsFull ? (byte)1 : (byte)0;
    }
}
