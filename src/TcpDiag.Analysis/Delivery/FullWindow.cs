using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// What went on while the receive window was full: how much was in flight, how fast that goes at the round trips of that time, and how fast it went. Made for
/// the senders alone that meet a full window.
/// </summary>
struct FullWindow
{
    double _bytesNanos; // in flight times time
    double _allowedBytes; // what a window in each round trip makes of that time
    long _fullNanos;
    long _sentBytes; // from the end of one time with a full window to that of the next
    long _sentNanos;
    TraceTime _latest; // when the window was full last
    SequenceNumber _latestMax; // SND.MAX then
    bool _hasLatest;

    /// <summary>What was measured; null when the window was never full for long enough to tell.</summary>
    public readonly FullWindowSummary? Summary => _sentNanos > 0 && _allowedBytes > 0
        ? new FullWindowSummary((int)(_bytesNanos / _fullNanos), _allowedBytes * 8e9 / _fullNanos, _sentBytes * 8e9 / _sentNanos)
        : null;

    /// <summary>
    /// Takes in that the window held the sender between two bursts. It fills with several bursts, one for each acknowledgment, and only the last one meets a
    /// full window: the rate is that from one such time to the next, unless more than a round trip lies between them.
    /// </summary>
    /// <param name="from">From when on.</param>
    /// <param name="to">When it had room again, and data was sent.</param>
    /// <param name="inFlight">What was in flight, bytes.</param>
    /// <param name="max">SND.MAX.</param>
    /// <param name="srttNanos">The round trip of that time; 0 when not known.</param>
    public void Add(TraceTime from, TraceTime to, int inFlight, SequenceNumber max, long srttNanos)
    {
        long nanos = to - from;
        if (nanos <= 0 || srttNanos <= 0)
        {
            return;
        }

        _bytesNanos += (double)inFlight * nanos;
        _allowedBytes += (double)inFlight * nanos / srttNanos;
        _fullNanos += nanos;
        if (_hasLatest && from - _latest <= srttNanos)
        {
            _sentBytes += max - _latestMax;
            _sentNanos += to - _latest;
        }

        _latest = to;
        _latestMax = max;
        _hasLatest = true;
    }
}
