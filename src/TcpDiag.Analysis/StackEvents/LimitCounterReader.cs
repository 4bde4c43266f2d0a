using TcpDiag.Analysis.Limits;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// Reads the counters of limits that a Windows stack tells of a connection: times and bytes in the summary at its end (1352, 1477), bytes as it goes on (1159 v2, 1626, 1637). All of
/// them count from the connection's beginning. Where bytes alone are told, and often, the time between two events is divided as the bytes between them are.
/// </summary>
struct LimitCounterReader
{
    const int LeastSamples = 8;
    const long NanosecondsPerMillisecond = 1_000_000;

    CountedLimits? _times;
    CountedLimits? _bytes;
    CountedLimits _byBytes;
    CountedLimits _latestStep;
    TraceTime _since;
    TraceTime _latest;
    int _samples;
    int _steps;

    /// <summary>Takes in an event of the connection.</summary>
    /// <param name="told">The event.</param>
    public void OnEvent(StackEvent told)
    {
        if (told.Has(StackField.LimitedBytesReceiver))
        {
            OnBytes(Read(told, StackField.LimitedBytesReceiver, StackField.LimitedBytesCwnd, StackField.LimitedBytesSender, 1), told.Time);
        }

        if (told.Has(StackField.LimitedTimeReceiver))
        {
            _times = Read(told, StackField.LimitedTimeReceiver, StackField.LimitedTimeCwnd, StackField.LimitedTimeSender, NanosecondsPerMillisecond);
        }
    }

    /// <summary>Sums up.</summary>
    /// <returns>The counters; null when none was told, or nothing was counted.</returns>
    public readonly LimitCounters? Summarise()
    {
        CountedLimits? times = _times is { Total: > 0 } ? _times : null;
        CountedLimits? bytes = _bytes is { Total: > 0 } ? _bytes : null;
        bool isByBytes = times is null && _steps >= LeastSamples;
        return times is null && bytes is null ? null : new(isByBytes ? ByBytes() : times, bytes, _samples) { IsTimeByBytes = isByBytes };
    }

    // Up to the last acknowledgment what limited the last bytes goes on.
    readonly CountedLimits ByBytes() => _byBytes.Plus(long.Max(_latest - _since, 0), _latestStep);

    void OnBytes(in CountedLimits bytes, TraceTime now)
    {
        _samples++;
        if (_bytes is not { } before)
        {
            _since = now;
        }
        else if (bytes.Since(before) is { ReceiveWindow: >= 0, Congestion: >= 0, Sender: >= 0, Total: > 0 } more)
        {
            _steps++;
            _byBytes = _byBytes.Plus(long.Max(now - _since, 0), more);
            _latestStep = more;
            _since = now;
        }

        _bytes = bytes;
        _latest = now;
    }

    static CountedLimits Read(StackEvent told, StackField window, StackField congestion, StackField sender, long unit) =>
        new(Read(told, window) * unit, Read(told, congestion) * unit, Read(told, sender) * unit);

    // Up to a year in milliseconds, or an exabyte: what a damaged event tells beyond is nothing.
    static long Read(StackEvent told, StackField field) => told.TryGet(field, out long value) && value is > 0 and < 1L << 60 ? value : 0;
}
