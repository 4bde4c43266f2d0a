using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// The clock of a sender's timestamps (RFC 7323 §4.1), seen from afar: a queue on the way lets data arrive evenly that was not sent so, and TSval tells when it was sent. How long a tick
/// is shows in how many there were since the first data.
/// </summary>
struct SenderClock
{
    TraceTime _begin;
    uint _first;
    uint _latest;

    /// <summary>Notes a segment with data.</summary>
    /// <param name="tsVal">Its TSval; 0 without timestamps.</param>
    /// <param name="now">When it passed the capture point.</param>
    public void OnSent(uint tsVal, TraceTime now)
    {
        if (_first == 0)
        {
            _first = tsVal;
            _begin = now;
        }

        _latest = tsVal;
    }

    /// <summary>How long the sender paused before a segment, for certain: a tick less than the clock says.</summary>
    /// <param name="tsVal">Its TSval.</param>
    /// <param name="now">When it passed the capture point.</param>
    /// <returns>Nanoseconds; 0 when the clock does not tell.</returns>
    public readonly long PauseBefore(uint tsVal, TraceTime now)
    {
        int ticks = unchecked((int)(tsVal - _latest));
        int all = unchecked((int)(tsVal - _first));
        return _first != 0 && ticks > 1 && all >= ticks ? (long)((double)(now - _begin) * (ticks - 1) / all) : 0;
    }
}
