using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>Waits for a connection whose pace is not as it should be. One that was closed or reset is forgotten.</summary>
/// <typeparam name="T">The pace: what is counted of a connection.</typeparam>
abstract class ConnectionProbe<T> : TriggerProbe
    where T : class
{
    // A server with more is watched at its first connections only.
    const int MaxConnections = 8192;

    readonly Dictionary<ConnectionEnds, T> _paces = [];

    /// <inheritdoc/>
    public sealed override string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection)
    {
        if (connection is not { } ends)
        {
            return null;
        }

        if (stackEvent.Kind is StackEventKind.Closed or StackEventKind.Reset)
        {
            _paces.Remove(ends);
        }
        else if (Find(ends, stackEvent.Time) is { } pace)
        {
            Count(pace, stackEvent);
        }

        return null;
    }

    /// <inheritdoc/>
    public sealed override string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes)
    {
        foreach ((ConnectionEnds ends, T pace) in _paces)
        {
            if (Judge(ends, pace, now) is { } what)
            {
                return what;
            }
        }

        return null;
    }

    /// <summary>The pace of a connection that was not known before.</summary>
    /// <param name="now">When it was met.</param>
    /// <returns>The pace, with nothing counted yet.</returns>
    protected abstract T Begin(TraceTime now);

    /// <summary>Counts an event.</summary>
    /// <param name="pace">The pace of its connection.</param>
    /// <param name="stackEvent">The event.</param>
    protected abstract void Count(T pace, StackEvent stackEvent);

    /// <summary>Judges a connection.</summary>
    /// <param name="ends">Its ends.</param>
    /// <param name="pace">Its pace.</param>
    /// <param name="now">What time it is.</param>
    /// <returns>What is not as it should be, a clause; null when all is well.</returns>
    protected abstract string? Judge(ConnectionEnds ends, T pace, TraceTime now);

    // Null when there are too many.
    T? Find(ConnectionEnds ends, TraceTime now)
    {
        if (!_paces.TryGetValue(ends, out T? pace) && _paces.Count < MaxConnections)
        {
            _paces.Add(ends, pace = Begin(now));
        }

        return pace;
    }
}
