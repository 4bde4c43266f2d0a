using TcpDiag.Capture.Linux.Native;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// Converts the trace clock (monotonic) to the packets' clock (realtime). Pairing reads both clocks together several
/// times and keeps the tightest reading; it is repeated because the realtime clock is slewed or set.
/// </summary>
sealed class ClockPair
{
    const int Attempts = 8;

    long _offset;

    /// <summary>Uncertainty of the latest pairing: half the time the reading took, nanoseconds.</summary>
    public long UncertaintyNanoseconds { get; private set; }

    /// <summary>Realtime minus monotonic, nanoseconds.</summary>
    public long OffsetNanoseconds => _offset;

    /// <summary>Reads both clocks anew.</summary>
    public void Pair()
    {
        long tightest = long.MaxValue;
        for (int i = 0; i < Attempts; i++)
        {
            long before = Libc.Now(Libc.ClockMonotonic);
            long realtime = Libc.Now(Libc.ClockRealtime);
            long after = Libc.Now(Libc.ClockMonotonic);
            if (after - before < tightest)
            {
                tightest = after - before;
                _offset = realtime - before - (tightest / 2);
            }
        }

        UncertaintyNanoseconds = (tightest + 1) / 2;
    }

    /// <summary>The instant at which the trace clock showed a value.</summary>
    /// <param name="monotonic">The value, nanoseconds.</param>
    /// <returns>The instant.</returns>
    public TraceTime ToRealtime(long monotonic) => new(monotonic + _offset);
}
