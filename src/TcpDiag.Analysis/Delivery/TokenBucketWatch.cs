using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// What gets through from one loss to the next, so that it can be asked whether a token bucket dropped the rest (RFC 2475 §2.3.3.2): it is empty whenever it
/// drops a packet, gains tokens by its rate up to its depth, and spends one for each byte that passes. As acknowledgments show it, which is the same at each
/// capture point. A loss counts from the first hole to where all of them are filled. Made for the senders alone whose data is lost, or comes out of order.
/// </summary>
struct TokenBucketWatch
{
    Spans _spans; // the latest; the oldest is replaced
    LossSpan _span; // since the latest loss
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
            OnLoss();
        }
        else if (!isSacked && !isRecovering && _hasHole)
        {
            OnFilled();
        }

        _hasRecovered |= isRecovering;
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
    void OnLoss()
    {
        if (_isOpen && _span.Bytes > 0)
        {
            _spans[_count % Thresholds.MaxLossSpans] = _span;
            _count++;
        }

        _isOpen = _latest != default;
        _since = _latest;
        _span = default;
        (_hasHole, _hasRecovered) = (true, false);
    }

    // Nothing had to be repaired: it came out of order, and what was taken for the end of an interval was none.
    void OnFilled()
    {
        _hasHole = false;
        if (!_hasRecovered)
        {
            _isOpen = false;
            _count -= _count > 0 ? 1 : 0;
        }
    }

    [InlineArray(Thresholds.MaxLossSpans)]
    struct Spans
    {
        LossSpan _first;
    }
}

/// <summary>
/// What got through between two losses: the lower convex hull of the bytes over time. A bucket of any rate is fullest at one of its corners, and no other
/// instant has to be kept.
/// </summary>
struct LossSpan
{
    Corners _corners;
    int _count;

    /// <summary>From the loss to the latest that came through, nanoseconds.</summary>
    public float Nanos { get; private set; }

    /// <summary>What came through, bytes.</summary>
    public float Bytes { get; private set; }

    /// <summary>Takes in what came through.</summary>
    /// <param name="nanos">Since the loss.</param>
    /// <param name="bytes">How much.</param>
    public void Add(long nanos, int bytes)
    {
        AddCorner(new(nanos, Bytes));
        Nanos = nanos;
        Bytes += bytes;
    }

    /// <summary>The most tokens that a bucket without bounds would have had, bytes.</summary>
    /// <param name="rate">Its rate, bytes per nanosecond.</param>
    public readonly float MostTokens(float rate)
    {
        float most = 0;
        foreach (Corner corner in ((ReadOnlySpan<Corner>)_corners)[.._count])
        {
            most = Math.Max(most, (rate * corner.Nanos) - corner.Bytes);
        }

        return most;
    }

    void AddCorner(Corner corner)
    {
        while (_count >= 2 && IsAbove(_corners[_count - 2], _corners[_count - 1], corner))
        {
            _count--;
        }

        if (_count == Thresholds.MaxLossCorners)
        {
            RemoveFlattest();
        }

        _corners[_count++] = corner;
    }

    // With few corners the hull is less exact where it bends least.
    void RemoveFlattest()
    {
        int flattest = 1;
        float least = float.MaxValue;
        for (int i = 1; i < _count - 1; i++)
        {
            float area = Area(_corners[i - 1], _corners[i], _corners[i + 1]);
            (flattest, least) = area < least ? (i, area) : (flattest, least);
        }

        Span<Corner> corners = _corners;
        corners[(flattest + 1).._count].CopyTo(corners[flattest..]);
        _count--;
    }

    static bool IsAbove(Corner before, Corner corner, Corner after) => Area(before, corner, after) <= 0;

    // Twice the area of the triangle; negative where the corner lies above the line between the others.
    static float Area(Corner before, Corner corner, Corner after) =>
        ((corner.Nanos - before.Nanos) * (after.Bytes - before.Bytes)) - ((after.Nanos - before.Nanos) * (corner.Bytes - before.Bytes));

    readonly record struct Corner(float Nanos, float Bytes);

    [InlineArray(Thresholds.MaxLossCorners)]
    struct Corners
    {
        Corner _first;
    }
}
