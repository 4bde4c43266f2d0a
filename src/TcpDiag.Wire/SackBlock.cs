using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>One SACK block: a contiguous range the receiver holds (RFC 2018 §3).</summary>
/// <param name="Left">First sequence number of the block.</param>
/// <param name="Right">Sequence number behind its last byte.</param>
public readonly record struct SackBlock(SequenceNumber Left, SequenceNumber Right)
{
    /// <summary>Reads a block of a parsed packet.</summary>
    /// <param name="frame">The frame the packet was parsed from.</param>
    /// <param name="options">Its options.</param>
    /// <param name="index">0 … <see cref="TcpOptions.SackBlocks"/> − 1.</param>
    /// <returns>The block as it stands in the header.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The frame is not the one parsed, or the index too large.</exception>
    public static SackBlock Read(ReadOnlySpan<byte> frame, in TcpOptions options, int index)
    {
        ReadOnlySpan<byte> block = frame.Slice(options.SackOffset + (8 * index), 8);
        return new(new(BinaryPrimitives.ReadUInt32BigEndian(block)), new(BinaryPrimitives.ReadUInt32BigEndian(block[4..])));
    }
}
