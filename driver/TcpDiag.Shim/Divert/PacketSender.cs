using System;
using System.Runtime.Versioning;
using System.Threading;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Gives packets back to the driver, many at a call. It is used by the thread that emulates, so that the delay measured is the delay given: whoever collects
/// packets here sends them before waiting.
/// </summary>
/// <param name="handle">The handle they came from.</param>
[SupportedOSPlatform("windows")]
sealed unsafe class PacketSender(DivertHandle handle)
{
    readonly PacketBatch _batch = new();
    long _refused;

    /// <summary>Calls in which the driver did not take every packet. It does not say how many it took: at least one was lost each time.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Collects a packet.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="address">Where it goes.</param>
    public void Add(ReadOnlySpan<byte> packet, in DivertAddress address)
    {
        _batch.Add(packet, in address);
        if (_batch.IsFull)
        {
            Flush();
        }
    }

    /// <summary>Sends what was collected.</summary>
    public void Flush()
    {
        if (_batch.Count == 0)
        {
            return;
        }

        fixed (byte* packets = _batch.Bytes)
        fixed (DivertAddress* addresses = _batch.Addresses)
        {
            bool isSent = DivertNative.Send(handle, packets, (uint)_batch.LengthBytes, out _, 0, addresses, (uint)(_batch.Count * DivertAddress.SizeBytes), 0);
            Volatile.Write(ref _refused, _refused + (isSent ? 0 : 1));
        }

        _batch.Fill(0, 0);
    }
}
