using TcpDiag.Wire;

namespace TcpDiag.Tcp.Timing;

/// <summary>
/// min_RTT as RFC 8985 §6.2 step 1 prefers it: the smallest sample of a window of time, so that it follows a
/// move to a longer path. Three samples are kept instead of all, the best of the window and the best of what came after each: the answer is a sample
/// of the window, and may for a part of it lie above the smallest when the best has just aged out. The default value is a filter without samples.
/// </summary>
public struct MinRttFilter
{
    /// <summary>A common window in ns: 5 minutes, as in Linux (tcp_min_rtt_wlen).</summary>
    public const long DefaultWindowNanos = 300L * 1_000_000_000;

    // Ordered: _best is the smallest and oldest, then the best since it, then the best since that.
    Sample _best;
    Sample _second;
    Sample _third;

    /// <summary>The smallest sample of the window in ns; 0 before the first sample, at least 1 after it.</summary>
    public readonly long MinRttNanos => _best.RttNanos;

    /// <summary>Takes a sample.</summary>
    /// <param name="now">When it was taken; if the clock steps back, older samples merely stay longer.</param>
    /// <param name="rttNanos">The round-trip time in ns; less than 1 counts as 1.</param>
    /// <param name="windowNanos">Length of the window in ns.</param>
    public void OnSample(TraceTime now, long rttNanos, long windowNanos = DefaultWindowNanos)
    {
        Sample sample = new(now, long.Max(rttNanos, 1));
        if (_best.RttNanos == 0 || sample.RttNanos <= _best.RttNanos || now - _third.Time > windowNanos)
        {
            _best = _second = _third = sample;
            return;
        }

        if (sample.RttNanos <= _second.RttNanos)
        {
            _second = _third = sample;
        }
        else if (sample.RttNanos <= _third.RttNanos)
        {
            _third = sample;
        }

        Age(sample, windowNanos);
    }

    // Drops what left the window, and spreads the two candidates over it, so that a good one is at hand when the best leaves.
    void Age(Sample sample, long windowNanos)
    {
        long age = sample.Time - _best.Time;
        if (age > windowNanos)
        {
            _best = _second;
            _second = _third;
            _third = sample;
            if (sample.Time - _best.Time > windowNanos)
            {
                _best = _second;
                _second = _third;
            }
        }
        else if (_second.Time == _best.Time && age > windowNanos / 4)
        {
            _second = _third = sample;
        }
        else if (_third.Time == _second.Time && age > windowNanos / 2)
        {
            _third = sample;
        }
    }

    readonly record struct Sample(TraceTime Time, long RttNanos);
}
