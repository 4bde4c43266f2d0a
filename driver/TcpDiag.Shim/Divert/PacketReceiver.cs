using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;

namespace TcpDiag.Shim.Divert;

/// <summary>The thread that receives: one blocking call after the other, each for as many packets as there are, until the handle is shut down.</summary>
[SupportedOSPlatform("windows")]
sealed unsafe class PacketReceiver : IDisposable
{
    readonly DivertHandle _handle;
    readonly DriverQueueWatch _watch;
    readonly BatchRing _ring = new();
    readonly Thread _thread;
    ShimException? _failure;

    /// <summary>Begins to receive.</summary>
    /// <param name="handle">Stays open until the thread has ended.</param>
    /// <param name="watch">Sees every call and what it brings.</param>
    public PacketReceiver(DivertHandle handle, DriverQueueWatch watch)
    {
        _handle = handle;
        _watch = watch;
        _thread = new Thread(Run) { Name = "diverted packets", IsBackground = true };
        _thread.Start();
    }

    public BatchRing Ring => _ring;

    /// <summary>Takes the next packet.</summary>
    /// <param name="packet">The packet, valid until the next call.</param>
    /// <param name="address">Its address.</param>
    /// <returns>False when there is none.</returns>
    /// <exception cref="ShimException">The driver has refused.</exception>
    public bool TryTake(out ReadOnlySpan<byte> packet, out DivertAddress address)
    {
        while (_ring.Oldest is { } batch)
        {
            if (batch.TryTake(out packet, out address))
            {
                return true;
            }

            _ring.Return();
        }

        packet = [];
        address = default;
        return _ring.IsEnded && _failure is { } failure ? throw failure : false;
    }

    /// <summary>Waits for the thread; the handle has been shut down.</summary>
    public void Dispose()
    {
        // What nobody takes any more makes room, or the thread would wait for it.
        while (!_thread.Join(TimeSpan.FromMilliseconds(1)))
        {
            while (_ring.Oldest is not null)
            {
                _ring.Return();
            }
        }

        _ring.Dispose();
    }

    void Run()
    {
        _ = RealTimePriority.TryTake();
        while (TryReceive())
        {
        }

        _ring.End();
    }

    bool TryReceive()
    {
        PacketBatch batch = _ring.WaitForRoom();
        uint addressBytes = PacketBatch.MaxPackets * DivertAddress.SizeBytes;
        _watch.OnCall(Stopwatch.GetTimestamp());
        bool isReceived;
        uint received;

        // The batch's memory is pinned for good; fixed only gives its address.
        fixed (byte* packets = batch.Bytes)
        fixed (DivertAddress* addresses = batch.Addresses)
        {
            isReceived = DivertNative.Receive(_handle, packets, PacketBatch.CapacityBytes, out received, 0, addresses, ref addressBytes, 0);
        }

        if (!isReceived)
        {
            int code = Marshal.GetLastPInvokeError();
            _failure = code == DivertErrors.NoData ? null : DivertErrors.ToException("receive packets from WinDivert", code);
            return false;
        }

        batch.Fill((int)(addressBytes / DivertAddress.SizeBytes), (int)received);
        _watch.OnBatch(batch.Addresses[..batch.Count], batch.LengthBytes, Stopwatch.GetTimestamp());
        _ring.Publish();
        return true;
    }
}

/// <summary>
/// Batches on their way from the thread that receives to the one that emulates: one producer, one consumer, no lock, no allocation. It is small, so
/// that what waits waits in the driver, whose queue is watched (<see cref="DriverQueueWatch"/>); when it is full the producer waits.
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
