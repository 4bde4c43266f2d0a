using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>The receive window, as the sender knows it.</summary>
struct WindowEdge
{
    SequenceNumber _edge;
    bool _wasNear; // the burst before the latest left room for less than two segments

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

    /// <summary>
    /// Room below which it is full, bytes: a segment, or two where the burst before left no more than the latest. A stack waits for room for a larger
    /// segment where the next acknowledgment is near, but not as much as a third of the window (Linux: tcp_tso_should_defer); a congestion window may end
    /// as near to the edge by chance, and does once on its way in slow start, but not again and again as both move.
    /// </summary>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int MinRoom(int mss) => _wasNear ? NearRoom(mss) : mss;

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

    /// <summary>Takes in that another burst begins.</summary>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    public void OnBurst(int mss) => _wasNear = IsKnown && Room < NearRoom(mss);

    readonly int NearRoom(int mss) => Math.Max(Math.Min(2 * mss, Bytes / 3), mss);

    /// <summary>Takes in that a window that was full has room again; the first time counts.</summary>
    public void Open(TraceTime now)
    {
        Opened = HasOpened ? Opened : now;
        HasOpened = true;
    }

    /// <summary>Begins a new interval.</summary>
    public void BeginInterval() => HasOpened = false;
}
