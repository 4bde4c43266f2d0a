using System;
using System.Numerics;
using TcpDiag.Traces.Etl;
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
    public const int MostBytes = 1 << 18;

    const int TableBits = 14;

    const ushort DataTransferSend = 1332;


    static readonly Guid TcpIpProvider = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");

    readonly (uint Seq, int Bytes)[] _sends = new (uint, int)[1 << TableBits];

    /// <summary>Keeps what the stack says it sent.</summary>
    /// <param name="record">Any record; only 1332 is looked at, whose first fields are the same in all versions.</param>
    public void OnRecord(in EtlRecord record)
    {
        if (record.Id != DataTransferSend || record.Provider != TcpIpProvider)
        {
            return;
        }

        // Tcb, Cwnd, SndWnd, BytesSent, SeqNo
        var reader = new PayloadCursor(record.Payload);
        if (reader.TryReadPointer(record, out _) && reader.TryReadUInt64(out _)
            && reader.TryReadUInt32(out uint bytes) && reader.TryReadUInt32(out uint seq) && bytes is > 0 and <= MostBytes)
        {
            _sends[Slot(seq)] = (seq, (int)bytes);
        }
    }

    /// <summary>Finds the length of a segment.</summary>
    /// <param name="frame">The bytes kept; its IP length is 0.</param>
    /// <param name="link">What they begin with.</param>
    /// <param name="originalLength">Bytes of the frame, headers included.</param>
    /// <returns>False when the stack did not tell of it.</returns>
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
