using System;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Memory;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// What few senders need beyond their own state, in pools for all of them. A sender knows them by an address: with a reference in each of a hundred thousand,
/// the garbage collector would go through all of their memory (<see cref="PoolChunk"/>).
/// </summary>
sealed class SenderExtras
{
    readonly StructPool<Self> _self = new(); // of one, which does not move

    public SenderExtras()
    {
        Pooled<Self> self = _self.Take();
        self.Value.Extras = this;
        AsReference = new(self);
    }

    /// <summary>Room for the time of further states.</summary>
    public StructPool<MoreTimes> Times { get; } = new();

    /// <summary>What went on while receive windows were full.</summary>
    public StructPool<FullWindow> FullWindows { get; } = new();

    /// <summary>What programs write whose send buffer seems to hold them.</summary>
    public StructPool<WriterPortions> Portions { get; } = new();

    /// <summary>What got through between losses.</summary>
    public StructPool<TokenBucketWatch> Buckets { get; } = new();

    /// <summary>What hands intervals to the charts.</summary>
    public StructPool<IntervalChart> Charts { get; } = new();

    /// <summary>This, for a struct without references.</summary>
    public Reference AsReference { get; }

    /// <summary>These pools, as long as somebody else keeps them; none by default.</summary>
    public readonly struct Reference(Pooled<Self> self)
    {
        readonly Pooled<Self> _self = self;

        /// <summary>The pools.</summary>
        /// <exception cref="InvalidOperationException">There are none.</exception>
        public SenderExtras Value => _self.IsAny ? _self.Value.Extras : throw new InvalidOperationException("A sender was given no pools.");
    }

    /// <summary>Where the pools are.</summary>
    public struct Self
    {
        /// <summary>The pools.</summary>
        public SenderExtras Extras;
    }
}
