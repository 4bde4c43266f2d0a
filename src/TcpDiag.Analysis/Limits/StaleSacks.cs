using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Acknowledgments in a row whose SACK blocks tell nothing new while data arrives: the receiver throws out-of-order data away
/// because its reassembly queue is full.
/// </summary>
struct StaleSacks
{
    // One or two also come of a duplicated segment or of an acknowledgment that was overtaken.
    const int Least = 3;

    TraceTime _since;
    byte _run;

    /// <summary>Whether there are such acknowledgments at present.</summary>
    public readonly bool IsOpen => _run > 0;

    /// <summary>Notes such an acknowledgment.</summary>
    /// <param name="now">When.</param>
    public void Add(TraceTime now)
    {
        _since = _run == 0 ? now : _since;
        _run = _run < byte.MaxValue ? (byte)(_run + 1) : _run;
    }

    /// <summary>Notes that the stack itself says so.</summary>
    /// <param name="now">When.</param>
    public void AddKnown(TraceTime now)
    {
        Add(now);
        _run = Least;
    }

    /// <summary>Takes recovery time that may turn out to be one of these; the part before the first goes to its state at once.</summary>
    /// <param name="from">Its beginning.</param>
    /// <param name="to">Its end.</param>
    /// <param name="book">Where it is booked.</param>
    public readonly void AddRecovery(TraceTime from, TraceTime to, ref LimitBook book)
    {
        TraceTime split = _run == 0 ? to : _since > from ? _since : from;
        split = split < to ? split : to;
        book.Add(LimitPlace.Recovery, from, split);
        book.Add(LimitPlace.Stale, split, to);
    }

    /// <summary>Notes that an acknowledgment told something new.</summary>
    /// <param name="book">Where the time waits.</param>
    public void Settle(ref LimitBook book)
    {
        book.Move(LimitPlace.Stale, _run >= Least ? LimitPlace.Reassembly : LimitPlace.Recovery);
        _run = 0;
    }
}
