using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace TcpDiag.Capture.Triggers;

/// <summary>Something kept for each open connection, in bounded memory.</summary>
/// <typeparam name="T">What is kept.</typeparam>
sealed class ConnectionPaces<T>
{
    // A server with more is watched at its first connections only.
    const int MaxConnections = 8192;

    readonly Dictionary<ConnectionEnds, T> _all = [];

    /// <summary>All connections and what is kept for each.</summary>
    public IReadOnlyDictionary<ConnectionEnds, T> All => _all;

    /// <summary>What is kept for a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="create">Makes it for a new one.</param>
    /// <param name="pace">What is kept.</param>
    /// <returns>False when there are too many.</returns>
    public bool TryGet(ConnectionEnds connection, Func<T> create, [MaybeNullWhen(false)] out T pace)
    {
        if (_all.TryGetValue(connection, out pace))
        {
            return true;
        }

        if (_all.Count == MaxConnections)
        {
            return false;
        }

        _all.Add(connection, pace = create());
        return true;
    }

    /// <summary>Forgets a connection that has ended.</summary>
    /// <param name="connection">The connection.</param>
    public void Remove(ConnectionEnds connection) => _all.Remove(connection);
}
