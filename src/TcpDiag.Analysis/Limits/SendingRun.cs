using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Sends in a row at even distances. Both a paced sender and one that follows the acknowledgments of a busy path send like
/// this: in the second case nearly every send comes right after an acknowledgment, in the first only some do, by chance.
/// An application that writes at even distances ends each write with what does not fill a segment, a paced sender sends
/// full ones. What the time of a run was is told when it has ended: until then it waits as <see cref="LimitPlace.RunAnswered"/> and
/// <see cref="LimitPlace.RunOpen"/>.
/// </summary>
struct SendingRun
{
    // So many sends make a run; fewer may be even by chance.
    const int LeastSends = 8;

    // A decision every so many sends, so that a long run does not wait for its end.
    const int MostSends = 64;

    long _mean;
    byte _sends;
    byte _clocked;
    byte _full;

    /// <summary>What the run's sends were.</summary>
    public readonly bool IsPaced => _sends >= LeastSends && 4 * _clocked <= 3 * _sends && 4 * _full >= _sends;

    /// <summary>Whether a send continues the run.</summary>
    /// <param name="gap">Time since the send before, nanoseconds.</param>
    /// <returns>False when the run is over.</returns>
    public readonly bool Continues(long gap) => _sends is > 0 and < MostSends && Math.Abs(gap - _mean) <= _mean / 2;

    /// <summary>Adds a send.</summary>
    /// <param name="gap">Time since the send before, nanoseconds.</param>
    /// <param name="isClocked">Whether it came right after an acknowledgment.</param>
    /// <param name="endsFull">Whether the send before ended with a full segment, as if in the middle of a write.</param>
    public void Add(long gap, bool isClocked, bool endsFull)
    {
        _mean = _sends == 0 ? gap : _mean + ((gap - _mean) / LeastSends);
        _sends++;
        _clocked += isClocked ? (byte)1 : (byte)0;
        _full += endsFull ? (byte)1 : (byte)0;
    }
}
