using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Bridge;

/// <summary>
/// What a sender left to the network card, or a card did on arrival (struct virtio_net_hdr, linux/virtio_net.h, in front of each frame): a checksum that is not
/// there yet, and several packets joined into one.
/// </summary>
/// <param name="NeedsChecksum">Whether the checksum is still to be calculated.</param>
/// <param name="ChecksumStart">Where it begins to count, from the first byte of the frame.</param>
/// <param name="ChecksumOffset">Where it stands, from there.</param>
/// <param name="SegmentBytes">Payload of each packet but the last, where several were joined; else 0.</param>
/// <param name="IsUnderstood">False where packets were joined in a way that cannot be undone here.</param>
readonly record struct OffloadedWork(bool NeedsChecksum, int ChecksumStart, int ChecksumOffset, int SegmentBytes, bool IsUnderstood)
{
    /// <summary>Bytes of the header.</summary>
    public const int HeaderBytes = 10;

    const byte FlagNeedsChecksum = 1;
    const byte JoinedTcpIpv4 = 1;
    const byte JoinedTcpIpv6 = 4;
    const byte JoinedUdp = 5;
    const byte WithEcn = 0x80;

    /// <summary>Reads the header; its numbers are in the machine's order.</summary>
    /// <param name="header">The header.</param>
    public static OffloadedWork Read(ReadOnlySpan<byte> header)
    {
        int kind = header[1] & ~WithEcn;
        return new(
            (header[0] & FlagNeedsChecksum) != 0,
            MemoryMarshal.Read<ushort>(header[6..]),
            MemoryMarshal.Read<ushort>(header[8..]),
            kind == 0 ? 0 : MemoryMarshal.Read<ushort>(header[4..]),
            kind is 0 or JoinedTcpIpv4 or JoinedTcpIpv6 or JoinedUdp);
    }

    /// <summary>Calculates the checksum that is not there yet; what stands in its place is the sum of the pseudo-header.</summary>
    /// <param name="packet">The IP packet.</param>
    /// <param name="frameOffset">Where it begins in the frame.</param>
    public void Complete(Span<byte> packet, int frameOffset)
    {
        int start = ChecksumStart - frameOffset;
        if (NeedsChecksum && start >= 0 && start + ChecksumOffset + 2 <= packet.Length)
        {
            ushort sum = InternetChecksum.Compute(packet[start..]);
            BinaryPrimitives.WriteUInt16BigEndian(packet[(start + ChecksumOffset)..], sum == 0 ? ushort.MaxValue : sum);
        }
    }
}
