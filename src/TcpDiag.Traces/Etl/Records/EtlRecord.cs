using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl.Records;

/// <summary>
/// One record of an .etl file as a view on the reader's buffer, valid until the next read (docs/formats/etl.md, "Records").
/// What every reader needs is parsed; the rest of the header is read from <see cref="Bytes"/> when asked for. Header fields
/// that its family does not have are 0.
/// </summary>
public ref struct EtlRecord
{
    /// <summary>The whole record, header included, without the padding after it.</summary>
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

    /// <summary>Opcode; distinguishes classic and kernel records of one class.</summary>
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

    /// <summary>Parses the record at the start of a span; fields that only a file has (processor, offsets) are left as they are.</summary>
    /// <param name="source">The record and what follows it.</param>
    /// <param name="record">Overwritten when the result is true; a view on <paramref name="source"/>.</param>
    /// <returns>False when there is no whole record.</returns>
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

/// <summary>The families of record headers in an .etl file (docs/formats/etl.md, "Records").</summary>
public enum EtlHeaderType
{
    /// <summary>A record of an unknown type, kept opaque.</summary>
    Unknown = 0,

    /// <summary>SYSTEM_TRACE_HEADER: kernel record with thread and process, 32-byte header.</summary>
    System,

    /// <summary>Kernel record without processor times, 24-byte header.</summary>
    Compact,

    /// <summary>PERFINFO_TRACE_HEADER: kernel record, 16-byte header.</summary>
    PerfInfo,

    /// <summary>EVENT_TRACE_HEADER: classic (MOF) event, 48-byte header.</summary>
    Full,

    /// <summary>EVENT_INSTANCE_HEADER: classic event with instance ids, 72-byte header.</summary>
    Instance,

    /// <summary>EVENT_HEADER: manifest or TraceLogging event, 80-byte header and extended items.</summary>
    Event,

    /// <summary>WPP message.</summary>
    Message,

    /// <summary>An error while logging; layout unknown.</summary>
    Error,
}

/// <summary>The class GUID that stands for a kernel record's group (docs/formats/etl.md, "Kernel groups").</summary>
static class EtlKernelGroups
{
    const byte Process = 3;
    const byte ImageLoad = 10;

    static readonly Guid Image = new("2cb15d1d-5fc1-11d2-abe1-00a0c911f518");

    static readonly Guid[] Classes = CreateClasses();

    /// <summary>The class of a kernel record.</summary>
    /// <param name="group">The header's group.</param>
    /// <param name="opcode">The header's type; group 3 logs image loads beside processes.</param>
    /// <returns>The GUID; empty for a group without a known class.</returns>
    internal static Guid ClassOf(byte group, byte opcode) => group == Process && opcode == ImageLoad ? Image : Classes[group];

    static Guid[] CreateClasses()
    {
        var classes = new Guid[256];
        classes[0] = new Guid("68fdd900-4a3e-11d1-84f4-0000f80464e3");
        classes[1] = new Guid("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c");
        classes[2] = new Guid("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c");
        classes[Process] = new Guid("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
        classes[4] = new Guid("90cbdc39-4a3e-11d1-84f4-0000f80464e3");
        classes[5] = new Guid("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
        classes[6] = new Guid("9a280ac0-c8e0-11d1-84e2-00c04fb998a2");
        classes[8] = new Guid("bf3a50c5-a9c9-4988-a005-2df0b7c80f80");
        classes[9] = new Guid("ae53722e-c863-11d2-8659-00c04fa321a1");
        classes[11] = new Guid("01853a65-418f-4f36-aefc-dc0f1d2fd235");
        classes[15] = new Guid("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc");
        classes[20] = Image;
        classes[24] = new Guid("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3");
        return classes;
    }
}
