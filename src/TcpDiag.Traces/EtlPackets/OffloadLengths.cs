using System;
using System.Numerics;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Lengths of segments that were captured before segmentation offload and cut: their IP header says 0. The stack logs
/// what it sends (1332) just before the adapter sees it, so the latest sends are kept by sequence number. The table has a
/// fixed size; a new send takes the place of an old one.
/// </summary>
sealed class OffloadLengths
{
    const int TableBits = 14;

    // No offload takes more than 256 KiB at once.
    const int MostBytes = 1 << 18;

    readonly (uint Seq, int Bytes)[] _sends = new (uint, int)[1 << TableBits];

    /// <summary>Keeps what the stack says it sent.</summary>
    /// <param name="seq">First sequence number.</param>
    /// <param name="bytes">Payload bytes.</param>
    public void OnSegmentSent(SequenceNumber seq, long bytes)
    {
        if (bytes is > 0 and <= MostBytes)
        {
            _sends[Slot(seq.Value)] = (seq.Value, (int)bytes);
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
