using TcpDiag.Analysis.Memory;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// Sequence ranges of one end that the capture point has not seen though later data passed it (tshark: "previous segment not captured").
/// They may still come: as a retransmission, or late.
/// </summary>
struct MissingData
{
    // So far below SND.MAX nothing comes any more: no window reaches back there (RFC 7323 §2.3).
    const int Reach = 1 << 30;

    /// <summary>What of it had been sent before the capture began.</summary>
    public OldData Old;

    /// <summary>
    /// From a gap to the first segment that was sent again for it, where an acknowledgment called for that: a round trip at the time of the loss.
    /// </summary>
    public DurationSet Repairs;

    RangeList<MissingRange> _ranges;
    TraceTime _lastTime;
    int _maxInFlightBefore;

    /// <summary>Whether there are any.</summary>
    public readonly bool IsAny => _ranges.Count > 0;

    /// <summary>Most bytes in flight when the first of them was left out; valid while there are any.</summary>
    public readonly int MaxInFlightBefore => _maxInFlightBefore;

    /// <summary>Whether there are any, or were since an instant.</summary>
    public readonly bool WasAny(TraceTime since) => IsAny || _lastTime >= since;

    /// <summary>Notes that something came out of order.</summary>
    public void OnOutOfOrder(TraceTime time) => _lastTime = time;

    /// <summary>Takes in a range that was left out before a segment.</summary>
    /// <param name="range">The range; it lies above all others.</param>
    /// <param name="maxInFlight">Most bytes in flight so far.</param>
    public void Add(in MissingRange range, int maxInFlight)
    {
        _lastTime = range.Origin.Time;
        _maxInFlightBefore = IsAny ? _maxInFlightBefore : maxInFlight;
        while (_ranges.Count > 0 && (_ranges.IsFull || range.End - _ranges[0].End > Reach))
        {
            _ranges.Remove(0, 1);
        }

        _ranges.Insert(_ranges.Count, range);
    }

    /// <summary>Takes a part out: it came.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <param name="origin">How the first range touched had shown.</param>
    /// <returns>Bytes that were missing until now.</returns>
    public int Fill(SequenceNumber start, SequenceNumber end, out GapOrigin origin)
    {
        int bytes = 0;
        origin = default;
        int index = _ranges.FirstEndingAfter(start);
        while (index < _ranges.Count && _ranges[index].Start < end)
        {
            ref MissingRange range = ref _ranges[index];
            origin = bytes == 0 ? range.Origin : origin;
            SequenceNumber from = start > range.Start ? start : range.Start;
            SequenceNumber to = end < range.End ? end : range.End;
            if (to <= from)
            {
                index++; // numbers gone wild
                continue;
            }

            bytes += to - from;
            index += _ranges.Cut(index, from, to);
        }

        return bytes;
    }

    /// <summary>
    /// Takes in a SACK or an acknowledgment that came before any for something that was captured: what it covers of a gap had been sent before the capture
    /// began, and so had all that was sent up to the end of the gap.
    /// </summary>
    /// <param name="from">Where it begins.</param>
    /// <param name="to">Where it ends.</param>
    /// <param name="una">SND.UNA.</param>
    public void OnEarly(SequenceNumber from, SequenceNumber to, SequenceNumber una)
    {
        int index = _ranges.FirstEndingAfter(from);
        if (index < _ranges.Count && _ranges[index].Start < to)
        {
            Old.OnSack(_ranges[index].End, una);
        }
    }

    /// <summary>Forgets what lies below an acknowledgment: it arrived without being captured.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <returns>Bytes that were missing.</returns>
    public int DropBelow(SequenceNumber ack) => IsAny ? Fill(_ranges[0].Start, ack, out _) : 0;

    /// <summary>The same of what had been sent before the capture began.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <returns>Bytes that were missing.</returns>
    public int DropOldBelow(SequenceNumber ack) => Old.IsAny ? DropBelow(Old.UpTo(ack)) : 0;

    /// <summary>Gives its memory back.</summary>
    public void Release() => _ranges.Release();
}

/// <summary>A range that was left out at the capture point, and the segment above it that showed it.</summary>
struct MissingRange : ISequenceRange
{
    /// <inheritdoc/>
    public SequenceNumber Start { get; set; }

    /// <inheritdoc/>
    public SequenceNumber End { get; set; }

    /// <summary>How it showed.</summary>
    public GapOrigin Origin;
}

/// <summary>How a gap showed at the capture point: what is needed to measure how late its data comes (RFC 4737 §4.2–4.4).</summary>
struct GapOrigin
{
    /// <summary>When the segment above the gap passed.</summary>
    public TraceTime Time;

    /// <summary>Wire segments, retransmissions left out, that had passed before that segment.</summary>
    public long Arrivals;

    /// <summary>Payload bytes, each number once, that had passed before it.</summary>
    public long Bytes;

    /// <summary>By which its transmission is ordered among others.</summary>
    public SendStamp Stamp;
}

/// <summary>
/// Data that had been sent before a capture that began during a recovery. What was under way then shows only as it is SACKed, and by where the sender goes on:
/// with repairs, from hole to hole, or with new data, behind all that it had sent. Until all of it is acknowledged, what lies between is old. That it was not
/// captured is no fault of the recorder.
/// </summary>
struct OldData
{
    SequenceNumber _end;

    /// <summary>Whether there is any.</summary>
    public bool IsAny { get; private set; }

    /// <summary>Takes in that something was SACKed beyond all that was seen to be sent.</summary>
    /// <param name="end">Behind it.</param>
    /// <param name="una">SND.UNA.</param>
    public void OnSack(SequenceNumber end, SequenceNumber una)
    {
        if (!IsAny || (una < _end && end > _end))
        {
            _end = end;
            IsAny = true;
        }
    }

    /// <summary>Takes in that a segment begins above all that was seen to be sent.</summary>
    /// <param name="start">Its begin.</param>
    /// <param name="una">SND.UNA.</param>
    public void OnJump(SequenceNumber start, SequenceNumber una)
    {
        if (IsAny)
        {
            OnSack(start, una);
        }
    }

    /// <summary>Whether all below an acknowledgment had been sent by then.</summary>
    public readonly bool Covers(SequenceNumber ack) => IsAny && ack <= _end;

    /// <summary>The part of what an acknowledgment covers that had been sent by then.</summary>
    public readonly SequenceNumber UpTo(SequenceNumber ack) => ack < _end ? ack : _end;
}
