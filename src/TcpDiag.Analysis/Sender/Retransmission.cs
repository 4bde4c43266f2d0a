using System;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>One wire segment that was sent again, kept until nothing can show any more whether that was needed.</summary>
struct Retransmission : ISequenceRange
{
    /// <inheritdoc/>
    public SequenceNumber Start { get; set; }

    /// <inheritdoc/>
    public SequenceNumber End { get; set; }

    /// <summary>Number of its packet in the trace.</summary>
    public long Packet { get; init; }

    /// <summary>When it was sent again.</summary>
    public TraceTime Time { get; init; }

    /// <summary>By which its transmission is ordered among others.</summary>
    public SendStamp Stamp { get; init; }

    /// <summary>When its data was first acknowledged or SACKed; valid with <see cref="RetransmissionMarks.IsAcked"/>.</summary>
    public TraceTime AckedTime;

    /// <summary>When data above it was SACKed first; valid with <see cref="RetransmissionMarks.WasSackHole"/>.</summary>
    public TraceTime HoleTime;

    /// <summary>SND.MAX when it was sent: what lies below was sent before it.</summary>
    public SequenceNumber SentMax;

    /// <summary>How the gap it filled had shown; valid with <see cref="RetransmissionMarks.WasMissing"/>.</summary>
    public GapOrigin Origin;

    /// <summary>What triggered it.</summary>
    public RetransmissionTrigger Trigger;

    /// <summary>What is known about it.</summary>
    public RetransmissionMarks Marks;

    /// <summary>Whether any of the marks is set.</summary>
    public readonly bool Is(RetransmissionMarks marks) => (Marks & marks) != 0;

    /// <summary>
    /// Whether its data was acknowledged too soon for it by what is known by now: the round trip may have been thought longer at first.
    /// </summary>
    /// <param name="minRttNanos">Shortest round trip between the capture point and the receiver, nanoseconds.</param>
    /// <returns>True when something else was acknowledged.</returns>
    public readonly bool WasTooSoon(long minRttNanos) => Is(RetransmissionMarks.IsTooSoon) && AckedTime - Time < minRttNanos;
}

/// <summary>What is known about a retransmission.</summary>
[Flags]
enum RetransmissionMarks : ushort
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>It has a TSval.</summary>
    HasTsVal = 0x001,

    /// <summary>No segment before it had its TSval: an echo of it can only mean this one.</summary>
    HasOwnTsVal = 0x002,

    /// <summary>Its data had not passed the capture point before.</summary>
    WasMissing = 0x004,

    /// <summary>The same data had been sent again before.</summary>
    IsRepeated = 0x008,

    /// <summary>Its data has been acknowledged or SACKed.</summary>
    IsAcked = 0x010,

    /// <summary>Data above it was SACKed before it was acknowledged itself.</summary>
    WasSackHole = 0x020,

    /// <summary>It was acknowledged sooner than any round trip takes.</summary>
    IsTooSoon = 0x040,

    /// <summary>The acknowledgment of its data came before it, or echoed an older timestamp: needless (RFC 3522).</summary>
    IsOutdated = 0x080,

    /// <summary>A DSACK reported it as a duplicate: needless (RFC 3708).</summary>
    IsReported = 0x100,

    /// <summary>The original came to the capture point after it: needless.</summary>
    IsOvertaken = 0x200,

    /// <summary>An acknowledgment without news answered it, or its original that came after it: one of them was a duplicate.</summary>
    IsAnsweredTwice = 0x400,

    /// <summary>The same, but the window of that acknowledgment had grown: that may have been its reason.</summary>
    IsAnsweredByUpdate = 0x800,

    /// <summary>An acknowledgment without news may have answered its original after it, or new data that was too old for the receiver.</summary>
    MayBeAnsweredTwice = 0x1000,

    /// <summary>Three duplicate acknowledgments had asked for it.</summary>
    WasAskedFor = 0x2000,
}

/// <summary>The segments of one end that were sent again and are not judged yet; of the same range, in the order they were sent.</summary>
struct RetransmissionList
{
    RangeList<Retransmission> _list;
    TraceTime _firstTime; // when the first of the list was sent
    SequenceNumber _end; // behind the highest
    int _maxLength; // bytes

    /// <summary>When the latest acknowledgment came that covered a retransmission for the first time.</summary>
    public TraceTime LastAckedTime { get; private set; }

    /// <summary>Segments in the list.</summary>
    public readonly int Count => _list.Count;

    /// <summary>Whether the list has no room.</summary>
    public readonly bool IsFull => _list.IsFull;

    /// <summary>A segment by its position; valid until the list changes.</summary>
    public readonly ref Retransmission this[int index] => ref _list[index];

    /// <summary>Whether nothing of the list lies above SND.UNA, and nothing has waited for its verdict for so long.</summary>
    public readonly bool IsAtRest(SequenceNumber una, TraceTime now, long nanos) => Count == 0 || (_end <= una && now - _firstTime <= nanos);

    /// <summary>Whether the first has waited for longer than so many nanoseconds.</summary>
    public readonly bool IsFirstOlderThan(TraceTime now, long nanos) => Count > 0 && now - _firstTime > nanos;

    /// <summary>Adds a segment; there must be room.</summary>
    public void Add(in Retransmission item)
    {
        _end = Count == 0 || item.End > _end ? item.End : _end;
        _maxLength = Math.Max(_maxLength, item.End - item.Start);
        _list.Insert(_list.FirstStartingAfter(item.Start), item);
        _firstTime = _list[0].Time;
    }

    /// <summary>Takes the first ones out.</summary>
    public void RemoveFirst(int count)
    {
        _list.Remove(0, count);
        _firstTime = Count > 0 ? _list[0].Time : default;
    }

    /// <summary>Position from which segments may overlap a range that starts here.</summary>
    public readonly int FirstFrom(SequenceNumber start) => Count == 0 ? 0 : _list.FirstStartingAfter(start + -_maxLength);

    /// <summary>The same, but the end at once where nothing lies above: most acknowledgments come when everything sent again has been acknowledged.</summary>
    public readonly int FirstAbove(SequenceNumber start) => Count == 0 || _end <= start ? Count : FirstFrom(start);

    /// <summary>The latest retransmission of any of a range.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <returns>Its position, or −1.</returns>
    public readonly int FindLatest(SequenceNumber start, SequenceNumber end)
    {
        int latest = -1;
        for (int i = FirstFrom(start); i < Count && this[i].Start < end; i++)
        {
            bool isLater = latest < 0 || this[i].Time >= this[latest].Time;
            latest = this[i].End > start && isLater ? i : latest;
        }

        return latest;
    }

    /// <summary>Notes that the data of a segment was acknowledged or SACKed; only the first time counts.</summary>
    /// <param name="item">One of the list.</param>
    /// <param name="now">When the acknowledgment passed.</param>
    public void Acknowledge(ref Retransmission item, in AckInstant now)
    {
        if (!item.Is(RetransmissionMarks.IsAcked))
        {
            LastAckedTime = now.Time;
            item.AckedTime = now.Time;
            item.Marks |= RetransmissionMarks.IsAcked;
            item.Marks |= now.IsTooSoonAfter(item.Time) ? RetransmissionMarks.IsTooSoon : RetransmissionMarks.None;
        }
    }

    /// <summary>Empties the list and gives its memory back.</summary>
    public void Release() => _list.Release();
}
