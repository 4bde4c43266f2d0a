using System;
using System.Collections.Concurrent;
using TcpDiag.Store;

namespace TcpDiag.Web;

/// <summary>Open stores: each is used by one request at a time, and by another afterwards.</summary>
/// <param name="open">Opens one.</param>
sealed class StorePool(Func<IResultStore> open) : IDisposable
{
    readonly ConcurrentBag<IResultStore> _idle = [];
    volatile bool _isClosed;

    /// <summary>Asks a store. One that has failed is not used again.</summary>
    /// <exception cref="StoreException">It cannot be opened or read.</exception>
    public T Ask<T>(Func<IResultStore, T> ask)
    {
        IResultStore store = _idle.TryTake(out IResultStore? idle) ? idle : open();
        bool isSound = false;
        try
        {
            T answer = ask(store);
            isSound = true;
            return answer;
        }
        finally
        {
            if (isSound && !_isClosed)
            {
                _idle.Add(store);
            }
            else
            {
                store.Dispose();
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isClosed = true;
        while (_idle.TryTake(out IResultStore? store))
        {
            store.Dispose();
        }
    }
}
