using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Store;

namespace TcpDiag.Web;

/// <summary>
/// Reports that take seconds, kept for as long as the store is the same. When something was added the next one is made while the one before is still shown, if
/// it takes longer than a reader waits; who has none to show is told that it is being made.
/// </summary>
/// <param name="pool">The store.</param>
/// <param name="counters">The server's figures.</param>
sealed class ReportCache(StorePool pool, ServeCounters counters) : IAsyncDisposable
{
    const int MaxKept = 32;

    // Less than the second that a page may take.
    static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    readonly Lock _lock = new();
    readonly Dictionary<string, Entry> _entries = new(StringComparer.Ordinal);
    readonly SemaphoreSlim _making = new(1); // one at a time: each reads much of the store
    long _uses;

    /// <summary>A report.</summary>
    /// <typeparam name="T">What it is.</typeparam>
    /// <param name="key">Which; the same key is the same question.</param>
    /// <param name="make">Makes it.</param>
    /// <param name="isPatient">Whether who asks waits for the first one, however long it takes.</param>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    /// <exception cref="BeingMadeException">It takes longer than who asks waits.</exception>
    public async Task<KeptReport<T>> Get<T>(string key, Func<IResultStore, T> make, bool isPatient = true)
        where T : class
    {
        StoreState state = await Task.Run(() => pool.Ask(StoreState.Of));
        Entry entry = Entered(key, state, () => Made(make));
        if (entry.Latest is null && isPatient)
        {
            return (KeptReport<T>)await entry.Making;
        }

        await ((Task)entry.Making.WaitAsync(Patience)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return (entry.Making.IsCompleted, entry.Latest) switch
        {
            (false, null) => throw new BeingMadeException(),
            (_, KeptReport<T> latest) when !entry.Making.IsCompletedSuccessfully => latest,
            _ => (KeptReport<T>)await entry.Making,
        };
    }

    /// <summary>Waits for reports that are being made: they use the store.</summary>
    public async ValueTask DisposeAsync()
    {
        Task[] making;
        lock (_lock)
        {
            making = [.. _entries.Values.Select(entry => entry.Making)];
        }

        await Task.WhenAll(making).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _making.Dispose();
    }

    // A report that could not be made is made again by who asks next.
    Entry Entered(string key, StoreState state, Func<Task<object>> make)
    {
        lock (_lock)
        {
            Entry? known = _entries.GetValueOrDefault(key);
            if (known is null || known.Making.IsFaulted || (known.State != state && known.Making.IsCompleted))
            {
                known = new(state, make()) { Latest = known?.Making is { IsCompletedSuccessfully: true } made ? made.Result : known?.Latest };
                _entries[key] = known;
                Forget();
            }

            known.LastUse = ++_uses;
            return known;
        }
    }

    void Forget()
    {
        while (_entries.Count > MaxKept)
        {
            _entries.Remove(_entries.MinBy(entry => entry.Value.LastUse == 0 ? long.MaxValue : entry.Value.LastUse).Key);
        }
    }

    async Task<object> Made<T>(Func<IResultStore, T> make)
        where T : class
    {
        await _making.WaitAsync();
        try
        {
            return await Task.Run<object>(() =>
            {
                long began = Environment.TickCount64;
                DateTimeOffset asOf = TimeProvider.System.GetUtcNow();
                T report = pool.Ask(make);
                counters.Reported(Environment.TickCount64 - began);
                return new KeptReport<T>(report, asOf);
            });
        }
        finally
        {
            _making.Release();
        }
    }

    sealed record Entry(StoreState State, Task<object> Making)
    {
        /// <summary>The report of an earlier state; null without one.</summary>
        public object? Latest { get; init; }

        /// <summary>When it was asked for, in uses of the cache.</summary>
        public long LastUse { get; set; }
    }
}

/// <summary>A report is being made, which takes longer than who asks for a page waits.</summary>
sealed class BeingMadeException : Exception;

/// <summary>A report, and since when it is known.</summary>
/// <typeparam name="T">What it is.</typeparam>
/// <param name="Report">The report.</param>
/// <param name="AsOf">When the store was read: what has been added since is not in it.</param>
sealed record KeptReport<T>(T Report, DateTimeOffset AsOf);
