using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>What the most in flight in a round trip says of slow start.</summary>
enum Growth : byte
{
    /// <summary>Not known, or slow start ended long ago.</summary>
    Unknown,

    /// <summary>It doubled (RFC 5681 §3.1).</summary>
    Doubled,

    /// <summary>It did not, for the first time.</summary>
    Ended,

    /// <summary>Slow start ended a few round trips ago.</summary>
    Slower,
}

/// <summary>
/// Whether what is in flight doubles each round trip, as slow start makes it. Where that ends without loss, a send buffer may be full: it bounds the bytes that
/// the stack spends on segments, not those in them, so that what is in flight changes for some rounds. Or the congestion window goes on slower.
/// </summary>
struct SlowStartGrowth
{
    int _ended; // what it would have had in the round in which it ended; 0 as long as it goes on, and long after
    int _most; // in flight in a round since
    byte _rounds; // since
    bool _isFirst; // the latest is the first flight
    bool _isPast; // it ended long ago, or something was lost

    /// <summary>Whether slow start ended a few round trips ago.</summary>
    public readonly bool HasEnded => _ended > 0;

    /// <summary>The most in flight in the round before, bytes; 0 when not known.</summary>
    public int Latest { get; private set; }

    /// <summary>Takes in the first flight, bytes: the initial window.</summary>
    public void Begin(int inFlight) => (Latest, _isFirst) = (inFlight, true);

    /// <summary>Takes in that something was lost.</summary>
    public void OnLoss() => (_ended, _isPast) = (0, true);

    /// <summary>Takes in that the sender had nothing to send.</summary>
    public void OnPause() => Latest = 0;

    /// <summary>Takes in the most in flight in a round trip, bytes.</summary>
    public Growth OnRound(int peak)
    {
        if (_isFirst && peak < Latest)
        {
            return Growth.Unknown; // nothing makes the initial window smaller but a loss: not all of what it let go was there yet
        }

        int doubled = 2 * Latest;
        Growth growth = _isPast || Latest == 0 ? Growth.Unknown
            : HasEnded ? AfterEnd(peak)
            : peak >= doubled - (doubled / 8) ? Growth.Doubled
            : Growth.Ended;
        if (growth == Growth.Ended)
        {
            (_ended, _most, _rounds) = (doubled, peak, 0);
        }

        (Latest, _isFirst) = (peak, false);
        return growth;
    }

    /// <summary>Whether a buffer that is full with so much in flight, bytes, may have ended slow start, and held what was sent since.</summary>
    public readonly bool IsEndedBy(int fill) => HasEnded && fill <= 2 * _ended && 3 * fill >= 2 * _most;

    Growth AfterEnd(int peak)
    {
        _most = Math.Max(_most, peak);
        bool isDoubled = _most >= 2 * _ended; // it had not ended
        _isPast = !isDoubled && ++_rounds > Thresholds.MaxRoundsPastSlowStart;
        _ended = isDoubled || _isPast ? 0 : _ended;
        return isDoubled ? Growth.Doubled : _isPast ? Growth.Unknown : Growth.Slower;
    }
}
