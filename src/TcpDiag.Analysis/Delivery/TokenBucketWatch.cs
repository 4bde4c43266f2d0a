using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// What gets through from one loss to the next, so that it can be asked whether a token bucket dropped the rest (RFC 2475 §2.3.3.2): it is empty whenever it
/// drops a packet, gains tokens by its rate up to its depth, and spends one for each byte that passes. As acknowledgments show it, which is the same at each
/// capture point. A loss counts from the first hole to where all of them are filled, if the sender repairs it. Made only for senders whose data is lost or
/// comes out of order.
/// </summary>
struct TokenBucketWatch
{
    Spans _spans; // the latest; the oldest is replaced
    LossSpan _span; // since the latest loss
    LossSpan _ended; // before it, until the sender repairs it: else it was none
    TraceTime _since; // when what came through before the latest loss had been acknowledged
    TraceTime _latest;
    int _count;
    bool _isOpen; // something was lost, and all since is known
    bool _hasHole;
    bool _hasRecovered; // since the hole showed

    /// <summary>Takes in an acknowledgment of new data.</summary>
    /// <param name="now">When it came.</param>
    /// <param name="bytes">How much.</param>
    /// <param name="isSacked">Whether some of it lies behind a hole.</param>
    /// <param name="isRecovering">Whether the sender has begun to repair.</param>
    public void OnDelivered(TraceTime now, int bytes, bool isSacked, bool isRecovering)
    {
        if ((isSacked || isRecovering) && !_hasHole)
        {
            OnHole();
        }
        else if (!isSacked && !isRecovering && _hasHole)
        {
            OnFilled();
        }

        if (isRecovering && !_hasRecovered)
        {
            OnLoss();
        }

        if (_isOpen)
        {
            _span.Add(now - _since, bytes);
        }

        _latest = now;
    }

    /// <summary>Takes in that part of what gets through does not show.</summary>
    public void Interrupt() => _isOpen = false;

    /// <summary>The token bucket that fits best; null of too few intervals.</summary>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    public readonly TokenBucketSummary? Fit(int mss)
    {
        int count = Math.Min(_count, Thresholds.MaxLossSpans);
        return count < Thresholds.MinLossSpans ? null : TokenBucketFit.Of(((ReadOnlySpan<LossSpan>)_spans)[..count], mss);
    }

    // The bucket was empty behind the last packet that passed.
    void OnHole()
    {
        _ended = _isOpen ? _span : default;
        _isOpen = _latest != default;
        _since = _latest;
        _span = default;
        (_hasHole, _hasRecovered) = (true, false);
    }

    void OnLoss()
    {
        _hasRecovered = true;
        if (_ended.Bytes > 0)
        {
            _spans[_count % Thresholds.MaxLossSpans] = _ended;
            _count++;
        }
    }

    // Where nothing had to be repaired it came out of order, and how full the bucket was then is not known.
    void OnFilled()
    {
        _hasHole = false;
        _isOpen &= _hasRecovered;
    }

    [InlineArray(Thresholds.MaxLossSpans)]
    struct Spans
    {
        LossSpan _first;
    }
}
