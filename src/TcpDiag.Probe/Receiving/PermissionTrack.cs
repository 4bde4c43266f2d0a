using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>
/// The real path's round trip from the flow itself: a segment cannot be sent before the acknowledgment that moved the window's edge beyond it has arrived. The
/// smallest time between the two, over all segments, is the path's; that of the handshake alone may hold a late processor.
/// </summary>
sealed class PermissionTrack
{
    // A flow that is not limited by the window leaves permissions behind.
    const int MaxPending = 4096;

    readonly Queue<(SequenceNumber Edge, TraceTime Sent)> _permissions = new();
    SequenceNumber? _edge;

    /// <summary>An acknowledgment is sent.</summary>
    /// <param name="edge">The right edge of its window as the header gives it.</param>
    /// <param name="now">When.</param>
    public void OnAcknowledged(SequenceNumber edge, TraceTime now)
    {
        if (_permissions.Count < MaxPending && (_edge is not { } before || edge > before))
        {
            _edge = edge;
            _permissions.Enqueue((edge, now));
        }
    }

    /// <summary>A segment came for the first time.</summary>
    /// <param name="end">The number behind its last byte.</param>
    /// <param name="now">When.</param>
    /// <returns>Time since it was permitted, ns; null when that is not known.</returns>
    public long? OnNew(SequenceNumber end, TraceTime now)
    {
        while (_permissions.TryPeek(out (SequenceNumber Edge, TraceTime Sent) permission))
        {
            if (permission.Edge >= end)
            {
                return now - permission.Sent;
            }

            _permissions.Dequeue();
        }

        return null;
    }
}
