using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl;

/// <summary>The 72 bytes before the records of a buffer (WMI_BUFFER_HEADER; docs/formats/etl.md, "Buffers").</summary>
/// <param name="BufferSize">Bytes in the file, this header included.</param>
/// <param name="SequenceNumber">0 for the first buffer, then counted up.</param>
/// <param name="FilledBytes">End of the records after decompression, this header included.</param>
/// <param name="Processor">The processor of every record in the buffer.</param>
/// <param name="Flags">BufferFlag.</param>
/// <param name="State">BufferState; 3 in every buffer seen in a file.</param>
/// <param name="Type">BufferType; 0 and 4 were seen.</param>
readonly record struct EtlBufferHeader(
    uint BufferSize, long SequenceNumber, uint FilledBytes, ushort Processor, EtlBufferFlags Flags, uint State, ushort Type)
{
    /// <summary>Bytes of the header.</summary>
    internal const int Length = 0x48;

    /// <summary>The longest buffer that is believed: Windows allows 16 MB, so four times that.</summary>
    internal const uint LongestBuffer = 64 << 20;

    const uint Flushed = 3;
    const ushort HighestType = 7;

    /// <summary>Whether the records are compressed.</summary>
    internal bool IsCompressed => (Flags & EtlBufferFlags.Compressed) != EtlBufferFlags.None;

    /// <summary>Whether the lengths can be true: both hold this header, are not absurd, and the records fit.</summary>
    internal bool HasPlausibleLengths =>
        BufferSize is >= Length and <= LongestBuffer && FilledBytes is >= Length and <= LongestBuffer
        && (IsCompressed || FilledBytes <= BufferSize);

    /// <summary>Whether this looks so much like a header that a search after damage may stop here.</summary>
    internal bool IsConvincing =>
        HasPlausibleLengths && State == Flushed && Type <= HighestType && FilledBytes % 8 == 0
        && (Flags & ~EtlBufferFlags.All) == EtlBufferFlags.None && SequenceNumber is >= 0 and <= uint.MaxValue;

    /// <summary>Reads a header.</summary>
    /// <param name="source">At least <see cref="Length"/> bytes.</param>
    internal static EtlBufferHeader Read(ReadOnlySpan<byte> source)
    {
        var flags = (EtlBufferFlags)BinaryPrimitives.ReadUInt16LittleEndian(source[0x34..]);
        ushort processor = BinaryPrimitives.ReadUInt16LittleEndian(source[0x28..]);
        bool hasWideIndex = (flags & EtlBufferFlags.ProcessorIndex) != EtlBufferFlags.None;
        return new EtlBufferHeader(
            BinaryPrimitives.ReadUInt32LittleEndian(source),
            BinaryPrimitives.ReadInt64LittleEndian(source[0x18..]),
            BinaryPrimitives.ReadUInt32LittleEndian(source[0x30..]),
            hasWideIndex ? processor : (byte)processor,
            flags,
            BinaryPrimitives.ReadUInt32LittleEndian(source[0x2C..]),
            BinaryPrimitives.ReadUInt16LittleEndian(source[0x36..]));
    }
}
