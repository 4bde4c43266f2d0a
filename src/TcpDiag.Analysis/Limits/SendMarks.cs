using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// When the latest data was sent, to a 64th of a round trip: one mark for all that was sent within that time. Unlike the send times of RTT samples it covers
/// all that is in flight, so that a SACK gives a sample too.
/// </summary>
struct SendMarks
{
    const int Length = 128; // two round trips; a power of two
    const int Resolution = 64; // of a round trip

    Ring _ring;
    SequenceNumber _begin; // what was sent before has no mark
    int _latest; // modulo the length
    int _count;

    /// <summary>Begins.</summary>
    /// <param name="max">SND.MAX.</param>
    public void Begin(SequenceNumber max) => _begin = max;

    /// <summary>Notes what was sent.</summary>
    /// <param name="max">SND.MAX after it.</param>
    /// <param name="now">When.</param>
    /// <param name="srttNanos">SRTT, nanoseconds.</param>
    public void OnSent(SequenceNumber max, TraceTime now, long srttNanos)
    {
        if (_count == 0 || now - _ring[_latest].Time > srttNanos / Resolution)
        {
            _latest = (_latest + 1) & (Length - 1);
            _ring[_latest].Time = now;
            _count = _count < Length ? _count + 1 : Length;
        }

        _ring[_latest].End = max;
    }

    /// <summary>How long ago data was sent for the first time.</summary>
    /// <param name="end">Behind its last byte.</param>
    /// <param name="now">Now.</param>
    /// <returns>Nanoseconds, too much by a 64th of a round trip at most; 0 when it is not known any more.</returns>
    public readonly long AgeOf(SequenceNumber end, TraceTime now)
    {
        if (end <= _begin)
        {
            return 0;
        }

        long age = 0;
        for (int i = 0; i < _count; i++)
        {
            ref readonly Mark mark = ref _ring[(_latest - i) & (Length - 1)];
            if (mark.End < end)
            {
                return age;
            }

            age = now - mark.Time;
        }

        return _count < Length ? age : 0; // what was sent before the oldest mark has been forgotten
    }

    struct Mark
    {
        public SequenceNumber End;
        public TraceTime Time;
    }

    [InlineArray(Length)]
    struct Ring
    {
        Mark _first;
    }
}
