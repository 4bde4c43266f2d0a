using System;
using System.Threading;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Batches on their way from the thread that receives to the one that emulates: one producer, one consumer, no lock, no allocation. It is small, so that what waits
/// waits in the driver, whose queue is watched (<see cref="DriverQueueWatch"/>); when it is full the producer waits.
/// </summary>
sealed class BatchRing : IDisposable
{
    const int Capacity = 8;

    readonly PacketBatch[] _batches = new PacketBatch[Capacity];
    readonly AutoResetEvent _hasRoom = new(initialState: false);
    readonly AutoResetEvent _hasPackets = new(initialState: false);
    long _written;
    long _read;
    volatile bool _isEnded;

    public BatchRing()
    {
        for (int i = 0; i < Capacity; i++)
        {
            _batches[i] = new PacketBatch();
        }
    }

    /// <summary>Set when packets have come, or the end.</summary>
    public WaitHandle Arrival => _hasPackets;

    /// <summary>Whether nothing will come any more; what came before may still be there.</summary>
    public bool IsEnded => _isEnded;

    /// <summary>The oldest batch; null when there is none.</summary>
    public PacketBatch? Oldest => _read < Volatile.Read(ref _written) ? _batches[_read % Capacity] : null;

    /// <summary>The batch to be filled next; waits until there is one.</summary>
    public PacketBatch WaitForRoom()
    {
        while (_written - Volatile.Read(ref _read) == Capacity)
        {
            _hasRoom.WaitOne();
        }

        return _batches[_written % Capacity];
    }

    /// <summary>Hands the filled batch over.</summary>
    public void Publish()
    {
        Volatile.Write(ref _written, _written + 1);
        _hasPackets.Set();
    }

    /// <summary>Gives the oldest batch back.</summary>
    public void Return()
    {
        Volatile.Write(ref _read, _read + 1);
        _hasRoom.Set();
    }

    /// <summary>Says that nothing comes any more.</summary>
    public void End()
    {
        _isEnded = true;
        _hasPackets.Set();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _hasRoom.Dispose();
        _hasPackets.Dispose();
    }
}
