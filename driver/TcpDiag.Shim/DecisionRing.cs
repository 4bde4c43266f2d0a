using System.Threading;
using TcpDiag.Impairment.Decisions;

namespace TcpDiag.Shim;

/// <summary>
/// Carries decisions from the packet thread to the one that writes them, so that a slow disk never delays a packet. One producer, one consumer, no
/// lock; when it is full decisions are counted instead of kept.
/// </summary>
sealed class DecisionRing : IDecisionSink
{
    // 131,072 records of 64 bytes: a quarter of a second at the highest packet rate seen on TUN, twelve times the writer's pause.
    const int Capacity = 1 << 17;

    readonly ImpairmentDecision[] _ring = new ImpairmentDecision[Capacity];
    long _written;
    long _read;
    long _lost;

    /// <summary>Decisions that found the ring full.</summary>
    public long Lost => Volatile.Read(ref _lost);

    /// <inheritdoc/>
    public void Record(in ImpairmentDecision decision)
    {
        if (_written - Volatile.Read(ref _read) == Capacity)
        {
            Volatile.Write(ref _lost, _lost + 1);
            return;
        }

        _ring[_written & (Capacity - 1)] = decision;
        Volatile.Write(ref _written, _written + 1);
    }

    /// <summary>Takes the oldest decision.</summary>
    public bool TryTake(out ImpairmentDecision decision)
    {
        if (_read == Volatile.Read(ref _written))
        {
            decision = default;
            return false;
        }

        decision = _ring[_read & (Capacity - 1)];
        Volatile.Write(ref _read, _read + 1);
        return true;
    }
}
