using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// One record of an .etl file as a view on the reader's buffer, valid until the next read (docs/formats/etl.md, "Records").
/// What every reader needs is parsed; the rest of the header is read from <see cref="Bytes"/> when asked for. Header fields
/// that its family does not have are 0.
/// </summary>
public ref struct EtlRecord
{
    /// <summary>The whole record, header included, without the padding behind it.</summary>
    public ReadOnlySpan<byte> Bytes;

    /// <summary>Time stamp in raw ticks of the trace's clock (<see cref="EtlClock"/>); of a record that has none, that of the record before it.</summary>
    public long Ticks;

    /// <summary>Offset in the file of the buffer that holds it.</summary>
    public long BufferOffset;

    /// <summary>Offset of the record inside its (decompressed) buffer, buffer header included.</summary>
    public int OffsetInBuffer;

    /// <summary>Where in <see cref="Bytes"/> the payload begins.</summary>
    public int PayloadOffset;

    /// <summary>The processor that logged it.</summary>
    public int Processor;

    /// <summary>The family of its header.</summary>
    public EtlHeaderType HeaderType;

    /// <summary>Whether pointers in the payload take 8 bytes (else 4), from the record and not from the file.</summary>
    public bool Is64Bit;

    /// <summary>The payload.</summary>
    public readonly ReadOnlySpan<byte> Payload => Bytes[PayloadOffset..];

    /// <summary>The extended data items, undecoded; empty when there are none. See <see cref="EtlExtendedItems"/>.</summary>
    public readonly ReadOnlySpan<byte> ExtendedData =>
        HeaderType == EtlHeaderType.Event ? Bytes[EtlRecordLayout.EventHeaderLength..PayloadOffset] : default;

    /// <summary>Whether it is a classic or kernel record, which has an opcode and no event id.</summary>
    public readonly bool IsClassic => HeaderType is not (EtlHeaderType.Event or EtlHeaderType.Message);

    /// <summary>Thread; 0xFFFFFFFF when unknown.</summary>
    public readonly uint ThreadId => ReadThreadOrProcess(0);

    /// <summary>Process; 0xFFFFFFFF when unknown.</summary>
    public readonly uint ProcessId => ReadThreadOrProcess(4);

    /// <summary>Provider (events), class (classic events), message GUID (WPP) or the class that stands for the kernel group; empty when unknown.</summary>
    public readonly Guid Provider => HeaderType switch
    {
        EtlHeaderType.Event or EtlHeaderType.Full or EtlHeaderType.Instance => new Guid(Bytes.Slice(0x18, 16)),
        EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo => EtlKernelGroups.ClassOf(Group, Opcode),
        EtlHeaderType.Message => EtlMessageLayout.ReadGuid(Bytes),
        _ => Guid.Empty,
    };

    /// <summary>Event id; WPP message number. 0 for classic and kernel records.</summary>
    public readonly ushort Id => HeaderType switch
    {
        EtlHeaderType.Event => ReadUInt16(0x28),
        EtlHeaderType.Message => ReadUInt16(4),
        _ => 0,
    };

    /// <summary>Version of the payload's layout; the low byte where the header holds 16 bits.</summary>
    public readonly byte Version => HeaderType switch
    {
        EtlHeaderType.Event => Bytes[0x2A],
        EtlHeaderType.Full or EtlHeaderType.Instance => Bytes[6],
        EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo => Bytes[0],
        _ => 0,
    };

    /// <summary>Opcode; what tells classic and kernel records of one class apart.</summary>
    public readonly byte Opcode => HeaderType switch
    {
        EtlHeaderType.Event => Bytes[0x2D],
        EtlHeaderType.Full or EtlHeaderType.Instance => Bytes[4],
        EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo => Bytes[6],
        _ => 0,
    };

    /// <summary>Kernel group, 0 for other families.</summary>
    public readonly byte Group =>
        HeaderType is EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo ? Bytes[7] : (byte)0;

    /// <summary>Level (1 critical … 5 verbose).</summary>
    public readonly byte Level => HeaderType switch
    {
        EtlHeaderType.Event => Bytes[0x2C],
        EtlHeaderType.Full or EtlHeaderType.Instance => Bytes[5],
        _ => 0,
    };

    /// <summary>Channel; 11 marks TraceLogging.</summary>
    public readonly byte Channel => HeaderType == EtlHeaderType.Event ? Bytes[0x2B] : (byte)0;

    /// <summary>Task.</summary>
    public readonly ushort Task => HeaderType == EtlHeaderType.Event ? ReadUInt16(0x2E) : (ushort)0;

    /// <summary>Keywords.</summary>
    public readonly ulong Keywords =>
        HeaderType == EtlHeaderType.Event ? BinaryPrimitives.ReadUInt64LittleEndian(Bytes[0x30..]) : 0;

    /// <summary>Header flags of an event or a WPP message.</summary>
    public readonly ushort Flags => HeaderType switch
    {
        EtlHeaderType.Event => ReadUInt16(4),
        EtlHeaderType.Message => ReadUInt16(6),
        _ => 0,
    };

    /// <summary>Activity id; empty when there is none.</summary>
    public readonly Guid ActivityId => HeaderType == EtlHeaderType.Event ? new Guid(Bytes.Slice(0x40, 16)) : Guid.Empty;

    /// <summary>Parses the record at the start of a span; fields that only a file tells (processor, offsets) are left as they are.</summary>
    /// <param name="source">The record and what follows it.</param>
    /// <param name="record">Overwritten when the result is true; a view on <paramref name="source"/>.</param>
    /// <returns>False when no whole record stands there.</returns>
    public static bool TryParse(ReadOnlySpan<byte> source, scoped ref EtlRecord record) => EtlRecordLayout.TryParse(source, ref record);

    readonly ushort ReadUInt16(int offset) => BinaryPrimitives.ReadUInt16LittleEndian(Bytes[offset..]);

    readonly uint ReadThreadOrProcess(int offset) => HeaderType switch
    {
        EtlHeaderType.Event or EtlHeaderType.Full or EtlHeaderType.Instance or EtlHeaderType.System or EtlHeaderType.Compact =>
            BinaryPrimitives.ReadUInt32LittleEndian(Bytes[(8 + offset)..]),
        EtlHeaderType.Message => EtlMessageLayout.ReadThreadOrProcess(Bytes, offset),
        _ => uint.MaxValue,
    };
}
