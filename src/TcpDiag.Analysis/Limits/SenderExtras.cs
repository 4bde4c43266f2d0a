using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Memory;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// What few senders need beyond their own state, in pools for all of them. A sender knows them by a handle: with a reference in each of a hundred thousand,
/// the garbage collector would go through all of their memory (<see cref="PoolChunk"/>).
/// </summary>
sealed class SenderExtras
{
    readonly WeakGCHandle<SenderExtras> _handle;

    public SenderExtras() => _handle = new(this);

    ~SenderExtras() => _handle.Dispose();

    /// <summary>Room for the time of further states.</summary>
    public StructPool<MoreTimes> Times { get; } = new();

    /// <summary>What went on while receive windows were full.</summary>
    public StructPool<FullWindow> FullWindows { get; } = new();

    /// <summary>What hands intervals to the charts.</summary>
    public StructPool<IntervalChart> Charts { get; } = new();

    /// <summary>This, for a struct without references.</summary>
    public Reference AsReference => new(_handle);

    /// <summary>These pools, as long as somebody else keeps them; null by default.</summary>
    public readonly struct Reference(WeakGCHandle<SenderExtras> handle)
    {
        readonly WeakGCHandle<SenderExtras> _handle = handle;

        /// <summary>The pools.</summary>
        /// <exception cref="InvalidOperationException">Nobody keeps them any more, or there were none.</exception>
        public SenderExtras Value => _handle.IsAllocated && _handle.TryGetTarget(out SenderExtras? extras)
            ? extras
            : throw new InvalidOperationException("The pools of a sender were not kept.");
    }
}
