using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// What went on while the receive window was full: how much was in flight, how fast that goes at the round trips of that time, and how fast it went. Made for
/// the senders alone that meet a full window.
/// </summary>
struct FullWindow
{
    double _bytesNanos; // in flight times time
    double _allowedBytes; // what a window in each round trip makes of that time
    long _fullNanos;
    long _sentBytes; // from the end of one time with a full window to that of the next
    long _sentNanos;
    TraceTime _latest; // when the window was full last
    SequenceNumber _latestMax; // SND.MAX then
    bool _hasLatest;

    /// <summary>What was measured; null when the window was never full for long enough to tell.</summary>
    public readonly FullWindowSummary? Summary => _sentNanos > 0 && _allowedBytes > 0
        ? new FullWindowSummary((int)(_bytesNanos / _fullNanos), _allowedBytes * 8e9 / _fullNanos, _sentBytes * 8e9 / _sentNanos)
        : null;

    /// <summary>
    /// Takes in that the window held the sender between two bursts. It fills with several bursts, one for each acknowledgment, and only the last one meets a
    /// full window: the rate is that from one such time to the next, unless more than a round trip lies between them.
    /// </summary>
    /// <param name="from">From when on.</param>
    /// <param name="to">When it had room again, and data was sent.</param>
    /// <param name="inFlight">What was in flight, bytes.</param>
    /// <param name="max">SND.MAX.</param>
    /// <param name="srttNanos">The round trip of that time; 0 when not known.</param>
    public void Add(TraceTime from, TraceTime to, int inFlight, SequenceNumber max, long srttNanos)
    {
        long nanos = to - from;
        if (nanos <= 0 || srttNanos <= 0)
        {
            return;
        }

        _bytesNanos += (double)inFlight * nanos;
        _allowedBytes += (double)inFlight * nanos / srttNanos;
        _fullNanos += nanos;
        if (_hasLatest && from - _latest <= srttNanos)
        {
            _sentBytes += max - _latestMax;
            _sentNanos += to - _latest;
        }

        _latest = to;
        _latestMax = max;
        _hasLatest = true;
    }
}

/// <summary>The receive window, as the sender knows it.</summary>
struct WindowEdge
{
    SequenceNumber _edge;

    /// <summary>Whether it is known.</summary>
    public bool IsKnown { get; private set; }

    /// <summary>The window, bytes; valid while <see cref="IsKnown"/>.</summary>
    public int Bytes { get; private set; }

    /// <summary>Room in it after the latest send, bytes.</summary>
    public int Room { get; private set; }

    /// <summary>Whether it was full after the latest send, and has had room for a segment since.</summary>
    public bool HasOpened { get; private set; }

    /// <summary>When it had; valid while <see cref="HasOpened"/>.</summary>
    public TraceTime Opened { get; private set; }

    /// <summary>Whether an acknowledgment moves the right edge.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool IsBelow(SequenceNumber edge) => IsKnown && edge > _edge;

    /// <summary>Takes in the right edge.</summary>
    /// <param name="edge">The edge.</param>
    /// <param name="una">SND.UNA.</param>
    /// <param name="max">SND.MAX: the first edge shows how much room the latest send had left.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(SequenceNumber edge, SequenceNumber una, SequenceNumber max)
    {
        Room = IsKnown ? Room : edge - max;
        _edge = edge;
        Bytes = edge - una;
        IsKnown = true;
    }

    /// <summary>Takes in that data was sent. Data of a SYN knows no window yet.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSent(SequenceNumber max) => Room = IsKnown ? _edge - max : int.MaxValue;

    /// <summary>Takes in that a window that was full has room again; the first time counts.</summary>
    public void Open(TraceTime now)
    {
        Opened = HasOpened ? Opened : now;
        HasOpened = true;
    }

    /// <summary>Begins a new interval.</summary>
    public void BeginInterval() => HasOpened = false;
}
