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
    /// <param name="watch">Told what comes.</param>
    public PacketReceiver(DivertHandle handle, DriverQueueWatch watch)
    {
        _handle = handle;
        _watch = watch;
        _thread = new Thread(Run) { Name = "diverted packets", IsBackground = true };
        _thread.Start();
    }

    /// <summary>What has come.</summary>
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
        _ = ThreadUrgency.TryRaise();
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
