using System;
using System.Buffers.Binary;
using System.Runtime.Versioning;
using System.Threading;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Gives packets back to the driver, many at a call. It is used by the thread that emulates, so that the delay measured is the delay given: whoever collects
/// packets here sends them before waiting.
/// </summary>
[SupportedOSPlatform("windows")]
sealed unsafe class PacketSender(DivertHandle handle)
{
    readonly PacketBatch _batch = new();
    long _refused;

    /// <summary>Calls in which the driver did not take every packet. It does not say how many it took: at least one was lost each time.</summary>
    public long Refused => Volatile.Read(ref _refused);

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

/// <summary>
/// Packets as the driver hands them over or takes them back: one behind the other without a gap, and an address for each. The memory never moves.
/// </summary>
sealed class PacketBatch
{
    /// <summary>WINDIVERT_BATCH_MAX: more the driver does not take or give at once.</summary>
    public const int MaxPackets = 255;

    /// <summary>WINDIVERT_MTU_MAX: an IPv6 header and the longest payload.</summary>
    public const int MaxPacketBytes = 40 + 0xFFFF;

    /// <summary>Room for a full batch of packets as they come from Ethernet, and for the longest one.</summary>
    public const int CapacityBytes = 512 * 1024;

    const int Ipv4HeaderBytes = 20;
    const int Ipv6HeaderBytes = 40;

    readonly byte[] _bytes = GC.AllocateUninitializedArray<byte>(CapacityBytes, pinned: true);
    readonly DivertAddress[] _addresses = GC.AllocateArray<DivertAddress>(MaxPackets, pinned: true);
    int _taken;
    int _offset;

    /// <summary>Packets in the batch.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of all of them.</summary>
    public int LengthBytes { get; private set; }

    /// <summary>Where packets are put.</summary>
    public Span<byte> Bytes => _bytes;

    /// <summary>Where addresses are put.</summary>
    public Span<DivertAddress> Addresses => _addresses;

    /// <summary>Whether another packet of any length would not fit.</summary>
    public bool IsFull => Count == MaxPackets || LengthBytes + MaxPacketBytes > CapacityBytes;

    /// <summary>Says what was received.</summary>
    /// <param name="count">Addresses.</param>
    /// <param name="lengthBytes">Bytes.</param>
    public void Fill(int count, int lengthBytes)
    {
        Count = count;
        LengthBytes = lengthBytes;
        _taken = 0;
        _offset = 0;
    }

    /// <summary>Adds a packet; the batch is not full.</summary>
    public void Add(ReadOnlySpan<byte> packet, in DivertAddress address)
    {
        packet.CopyTo(_bytes.AsSpan(LengthBytes));
        _addresses[Count++] = address;
        LengthBytes += packet.Length;
    }

    /// <summary>
    /// Takes the next packet out. Where a header has a length that the batch does not hold, the rest is one packet: where the next begins is
    /// unknown.
    /// </summary>
    /// <param name="packet">The packet, valid until the batch is filled anew.</param>
    /// <param name="address">Its address.</param>
    /// <returns>False when there is no more.</returns>
    public bool TryTake(out ReadOnlySpan<byte> packet, out DivertAddress address)
    {
        packet = [];
        address = default;
        if (_taken == Count || _offset == LengthBytes)
        {
            return false;
        }

        ReadOnlySpan<byte> rest = _bytes.AsSpan(_offset, LengthBytes - _offset);
        packet = rest[..ReadLength(rest)];
        address = _addresses[_taken++];
        _offset += packet.Length;
        return true;
    }

    // The length in the IP header; that of the rest where there is no header.
    static int ReadLength(ReadOnlySpan<byte> rest)
    {
        int length = (rest[0] >> 4, rest.Length) switch
        {
            (4, >= Ipv4HeaderBytes) => BinaryPrimitives.ReadUInt16BigEndian(rest[2..]),
            (6, >= Ipv6HeaderBytes) => Ipv6HeaderBytes + BinaryPrimitives.ReadUInt16BigEndian(rest[4..]),
            _ => rest.Length,
        };
        return length is >= Ipv4HeaderBytes && length <= rest.Length ? length : rest.Length;
    }
}
