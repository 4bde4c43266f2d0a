using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>How soon a writer answers the acknowledgment that wakes it, as the capture shows it: mean and mean deviation, as RFC 6298 §2 has them of round trips.</summary>
struct UsualDelay
{
    // Of delays about a mean, one in fifty is longer by so many mean deviations where they are exponential, fewer where they are not.
    const int MostDeviations = 4;

    const int Gain = 4; // each new one counts a fourth

    // What is not told apart: two answers of a stack.
    const int Resolution = 100_000; // ns

    int _mean; // nanoseconds
    int _deviation; // nanoseconds
    byte _count; // two at most

    // What came later than usual counts as no more than that.
    readonly int Longest => (int)Math.Min(_mean + ((long)MostDeviations * _deviation) + Resolution, int.MaxValue / 2);

    /// <summary>Learns from an answer.</summary>
    /// <param name="delay">Time between acknowledgment and answer, nanoseconds.</param>
    public void Learn(long delay)
    {
        int latest = (int)Math.Min(delay, int.MaxValue / 2);
        bool isFirst = _count == 0 || (_count == 1 && latest < _mean); // of the first two, one may have come late
        _count += _count < 2 ? (byte)1 : (byte)0;
        if (isFirst)
        {
            _mean = latest;
            _deviation = latest / Gain;
            return;
        }

        latest = Math.Min(latest, Longest);
        _deviation += (Math.Abs(latest - _mean) - _deviation) / Gain;
        _mean += (latest - _mean) / Gain;
    }

    /// <summary>Whether an answer comes later than usual.</summary>
    /// <param name="delay">Time between acknowledgment and answer, nanoseconds.</param>
    /// <returns>False as well when no usual one is known.</returns>
    public readonly bool IsLater(long delay) => _count > 0 && delay > Longest;
}
