using TcpDiag.Analysis.Memory;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// What the receiver has reported above SND.UNA (RFC 2018; RFC 6675 §3). Kept are the holes between SACKed data: what is no hole, up to the
/// highest SACK, has arrived.
/// </summary>
struct SackScoreboard
{
    // A block so far above SND.UNA belongs to something else (RFC 7323 §2.3).
    const int Reach = 1 << 30;

    RangeList<SackHole> _holes;
    SequenceNumber _fack;

    /// <summary>How often the receiver dropped what it had SACKed.</summary>
    public int TimesForgotten { get; private set; }

    /// <summary>Behind the highest data SACKed; SND.UNA when nothing above that is.</summary>
    public readonly SequenceNumber Fack => _fack;

    /// <summary>Whether something is missing below SACKed data.</summary>
    public readonly bool HasHoles => _holes.Count > 0;

    /// <summary>First byte of the lowest hole; valid while there are holes.</summary>
    public readonly SequenceNumber FirstHole => _holes[0].Start;

    /// <summary>Begins with nothing SACKed.</summary>
    public void Begin(SequenceNumber una) => _fack = una;

    /// <summary>Takes in that SND.UNA moved where nothing is SACKed above it.</summary>
    public void Advance(SequenceNumber ack) => _fack = _fack > ack ? _fack : ack;

    /// <summary>The receiver has dropped what it had SACKed (RFC 2018 §8).</summary>
    public void Forget(SequenceNumber una)
    {
        _holes.Remove(0, _holes.Count);
        _fack = una;
        TimesForgotten++;
    }

    /// <summary>Whether a SACK block can be one of this data.</summary>
    public static bool IsSane(SackBlock block, SequenceNumber una) =>
        block.Left < block.Right && block.Right > una && block.Right - una < Reach;

    /// <summary>Takes in data above all that was SACKed before; what is left out below it becomes a hole.</summary>
    /// <param name="left">First byte; not below <see cref="Fack"/>.</param>
    /// <param name="right">Behind the last byte.</param>
    /// <param name="time">When the acknowledgment passed.</param>
    public void Raise(SequenceNumber left, SequenceNumber right, TraceTime time)
    {
        if (left > _fack)
        {
            if (_holes.IsFull)
            {
                _holes.Remove(0, 1);
            }

            _holes.Insert(_holes.Count, new SackHole { Start = _fack, End = left, Since = time });
        }

        _fack = right;
    }

    /// <summary>Whether all of a range has been SACKed.</summary>
    /// <param name="start">First byte; not below SND.UNA.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <returns>True when the receiver misses nothing of it.</returns>
    public readonly bool IsSacked(SequenceNumber start, SequenceNumber end)
    {
        if (end > _fack)
        {
            return false;
        }

        int index = _holes.FirstEndingAfter(start);
        return index == _holes.Count || _holes[index].Start >= end;
    }

    /// <summary>Position of the first hole that ends above a number, for <see cref="TryFill"/>.</summary>
    public readonly int FirstHoleAbove(SequenceNumber at) => _holes.FirstEndingAfter(at);

    /// <summary>Fills the part of the next hole that lies in a range.</summary>
    /// <param name="index">Position of the hole; then that of the next.</param>
    /// <param name="start">First byte of the range.</param>
    /// <param name="end">Behind its last byte.</param>
    /// <param name="filled">The part that was a hole.</param>
    /// <returns>False when there is none left.</returns>
    public bool TryFill(ref int index, SequenceNumber start, SequenceNumber end, out SackHole filled)
    {
        while (index < _holes.Count && _holes[index].Start < end)
        {
            SackHole hole = _holes[index];
            SequenceNumber from = start > hole.Start ? start : hole.Start;
            SequenceNumber to = end < hole.End ? end : hole.End;
            if (to > from)
            {
                filled = new SackHole { Start = from, End = to, Since = hole.Since };
                index += _holes.Cut(index, from, to);
                return true;
            }

            index++; // numbers gone wild
        }

        filled = default;
        return false;
    }

    /// <summary>Gives its memory back.</summary>
    public void Release() => _holes.Release();
}

/// <summary>A range not acknowledged below data that is SACKed.</summary>
struct SackHole : ISequenceRange
{
    /// <inheritdoc/>
    public SequenceNumber Start { get; set; }

    /// <inheritdoc/>
    public SequenceNumber End { get; set; }

    /// <summary>When data above it was SACKed first.</summary>
    public TraceTime Since;
}
