using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl.Buffers;

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
    internal const uint MaxBufferLength = 64 << 20;

    const uint Flushed = 3;
    const ushort MaxType = 7;

    /// <summary>Whether the records are compressed.</summary>
    internal bool IsCompressed => (Flags & EtlBufferFlags.Compressed) != EtlBufferFlags.None;

    /// <summary>Whether the lengths can be true: both hold this header, are not absurd, and the records fit.</summary>
    internal bool HasPlausibleLengths =>
        BufferSize is >= Length and <= MaxBufferLength && FilledBytes is >= Length and <= MaxBufferLength
        && (IsCompressed || FilledBytes <= BufferSize);

    /// <summary>Whether this looks so much like a header that a search after damage may stop here.</summary>
    internal bool IsConvincing =>
        HasPlausibleLengths && State == Flushed && Type <= MaxType && FilledBytes % 8 == 0
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

/// <summary>BufferFlag of a buffer header.</summary>
[Flags]
enum EtlBufferFlags
{
    /// <summary>An ordinary buffer.</summary>
    None = 0,

    /// <summary>Set in the first buffer and the one flushed last.</summary>
    FlushMarker = 0x01,

    /// <summary>Events were lost before or in this buffer.</summary>
    EventsLost = 0x02,

    /// <summary>A buffer was lost.</summary>
    BufferLost = 0x04,

    /// <summary>A backup of a real-time session, damaged.</summary>
    BackupCorrupt = 0x08,

    /// <summary>A backup of a real-time session.</summary>
    Backup = 0x10,

    /// <summary>The processor index takes 16 bits; without this flag, 8.</summary>
    ProcessorIndex = 0x20,

    /// <summary>The records are compressed.</summary>
    Compressed = 0x40,

    /// <summary>Every flag that has a meaning.</summary>
    All = FlushMarker | EventsLost | BufferLost | BackupCorrupt | Backup | ProcessorIndex | Compressed,
}
