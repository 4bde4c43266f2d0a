using System;
using System.Buffers.Binary;
using System.Numerics;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Lengths of segments that were captured before segmentation offload and cut: their IP header says 0. The stack logs
/// what it sends (1332) just before the adapter sees it, so the latest sends are kept by sequence number. The table has a
/// fixed size; a new send takes the place of an old one.
/// </summary>
sealed class OffloadLengths
{
    /// <summary>Bytes that an offloaded segment may have: no adapter takes more than 256 KiB at once.</summary>
    public const int MaxBytes = 1 << 18;

    const int TableBits = 14;

    readonly (uint Seq, int Bytes)[] _sends = new (uint, int)[1 << TableBits];

    /// <summary>Keeps what the stack says it sent.</summary>
    /// <param name="record">Any record; only 1332 counts, whose first fields are the same in all versions.</param>
    public void OnRecord(in EtlRecord record)
    {
        if (record.Id != (ushort)TcpipEvent.TcpDataTransferSend1332 || record.Provider != StackEventTable.Tcpip)
        {
            return;
        }

        // Tcb, Cwnd, SndWnd, BytesSent, SeqNo
        var reader = new PayloadCursor(record.Payload);
        if (reader.TryReadPointer(record, out _) && reader.TryReadUInt64(out _)
            && reader.TryReadUInt32(out uint bytes) && reader.TryReadUInt32(out uint seq) && bytes is > 0 and <= MaxBytes)
        {
            _sends[Slot(seq)] = (seq, (int)bytes);
        }
    }

    /// <summary>Finds the length of a segment.</summary>
    /// <param name="frame">The bytes kept; its IP length is 0.</param>
    /// <param name="link">What they begin with.</param>
    /// <param name="originalLength">Bytes of the frame, headers included.</param>
    /// <returns>False when the stack did not log it.</returns>
    public bool TryFind(ReadOnlySpan<byte> frame, LinkType link, out int originalLength)
    {
        originalLength = 0;
        var packet = default(ParsedPacket);
        if (!PacketParser.TryParse(frame, link, ref packet) || !packet.IsTcp)
        {
            return false;
        }

        (uint seq, int bytes) = _sends[Slot(packet.Sequence.Value)];
        originalLength = packet.PayloadOffset + bytes;
        return bytes > 0 && seq == packet.Sequence.Value && originalLength >= frame.Length;
    }

    // Multiplicative hashing: 2³² divided by the golden ratio, odd.
    static int Slot(uint seq) => (int)(BitOperations.RotateLeft(unchecked(seq * 0x9E37_79B1), TableBits) & ((1 << TableBits) - 1));
}

/// <summary>
/// The length a cut packet had on the wire, from its IP header. NDIS does not log it. A sent TCP packet whose IP length
/// is 0 waits for segmentation offload: the adapter fills the length in, so its header does not hold it.
/// </summary>
static class FrameLength
{
    const int Ipv4HeaderBytes = 20;
    const int Ipv6HeaderBytes = 40;

    /// <summary>Finds out how long a packet was.</summary>
    /// <param name="frame">The bytes kept.</param>
    /// <param name="linkType">What they begin with.</param>
    /// <param name="isOffloaded">Whether the IP header leaves the length to segmentation offload.</param>
    /// <returns>Bytes on the wire, at least those kept.</returns>
    public static int OnWire(ReadOnlySpan<byte> frame, LinkType linkType, out bool isOffloaded)
    {
        isOffloaded = false;
        if (!LinkHeader.TryFindNetwork(frame, linkType, out int offset) || offset >= frame.Length)
        {
            return frame.Length;
        }

        ReadOnlySpan<byte> ip = frame[offset..];
        int length = (ip[0] >> 4) switch
        {
            4 when ip.Length >= Ipv4HeaderBytes => Ipv4Length(ip, out isOffloaded),
            6 when ip.Length >= Ipv6HeaderBytes => Ipv6Length(ip, out isOffloaded),
            _ => 0,
        };
        return Math.Max(frame.Length, offset + length);
    }

    static int Ipv4Length(ReadOnlySpan<byte> ip, out bool isOffloaded)
    {
        int length = BinaryPrimitives.ReadUInt16BigEndian(ip[2..]);
        isOffloaded = length == 0;
        return length;
    }

    static int Ipv6Length(ReadOnlySpan<byte> ip, out bool isOffloaded)
    {
        int length = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
        isOffloaded = length == 0;
        return length == 0 ? 0 : Ipv6HeaderBytes + length;
    }
}
