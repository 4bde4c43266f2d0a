using TcpDiag.Wire;

namespace TcpDiag.Tcp.Timing;

/// <summary>
/// min_RTT as RFC 8985 §6.2 step 1 prefers it: the smallest sample of a window of time, so that a move to a longer path is
/// followed. Three samples are kept instead of all, the best of the window and the best of what came after each: the answer is a sample
/// of the window, and may for a part of it lie above the smallest when the best has just aged out. The default value is a filter without samples.
/// </summary>
public struct MinRttFilter
{
    /// <summary>A common window in ns: 5 minutes, as in Linux (tcp_min_rtt_wlen).</summary>
    public const long DefaultWindowNs = 300L * 1_000_000_000;

    // Ordered: _best is the smallest and oldest, then the best since it, then the best since that.
    Sample _best;
    Sample _second;
    Sample _third;

    /// <summary>The smallest sample of the window in ns; 0 before the first sample, at least 1 after it.</summary>
    public readonly long MinRttNs => _best.RttNs;

    /// <summary>Takes a sample.</summary>
    /// <param name="now">When it was taken; a clock that steps back only makes older samples stay longer.</param>
    /// <param name="rttNs">The round-trip time in ns; less than 1 counts as 1.</param>
    /// <param name="windowNs">Length of the window in ns.</param>
    public void OnSample(TraceTime now, long rttNs, long windowNs = DefaultWindowNs)
    {
        Sample sample = new(now, long.Max(rttNs, 1));
        if (_best.RttNs == 0 || sample.RttNs <= _best.RttNs || now - _third.Time > windowNs)
        {
            _best = _second = _third = sample;
            return;
        }

        if (sample.RttNs <= _second.RttNs)
        {
            _second = _third = sample;
        }
        else if (sample.RttNs <= _third.RttNs)
        {
            _third = sample;
        }

        Age(sample, windowNs);
    }

    // Drops what left the window, and spreads the two candidates over it, so that a good one stands ready when the best leaves.
    void Age(Sample sample, long windowNs)
    {
        long age = sample.Time - _best.Time;
        if (age > windowNs)
        {
            _best = _second;
            _second = _third;
            _third = sample;
            if (sample.Time - _best.Time > windowNs)
            {
                _best = _second;
                _second = _third;
            }
        }
        else if (_second.Time == _best.Time && age > windowNs / 4)
        {
            _second = _third = sample;
        }
        else if (_third.Time == _second.Time && age > windowNs / 2)
        {
            _third = sample;
        }
    }

    readonly record struct Sample(TraceTime Time, long RttNs);
}
