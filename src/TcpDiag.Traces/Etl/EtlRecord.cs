using System;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// One record of an .etl file as a view on the reader's buffer, valid until the next read. Header fields that its family
/// does not have are 0. Filled by the reader.
/// </summary>
public ref struct EtlRecord
{
    /// <summary>The family of its header.</summary>
    public EtlHeaderType HeaderType;

    /// <summary>Whether pointers in the payload take 8 bytes (else 4), from the record and not from the file.</summary>
    public bool Is64Bit;

    /// <summary>Time stamp in raw ticks of the trace's clock; see <see cref="EtlClock"/>.</summary>
    public long Ticks;

    /// <summary>The processor that logged it.</summary>
    public int Processor;

    /// <summary>Thread, 0xFFFFFFFF when unknown.</summary>
    public uint ThreadId;

    /// <summary>Process, 0xFFFFFFFF when unknown.</summary>
    public uint ProcessId;

    /// <summary>Provider (events), class (classic events) or the class that stands for the kernel group.</summary>
    public Guid Provider;

    /// <summary>Event id; WPP message number. 0 for classic and kernel records.</summary>
    public ushort Id;

    /// <summary>Version of the payload's layout.</summary>
    public byte Version;

    /// <summary>Opcode; what tells classic and kernel records of one class apart.</summary>
    public byte Opcode;

    /// <summary>Kernel group, 0 for other families.</summary>
    public byte Group;

    /// <summary>Level (1 critical … 5 verbose).</summary>
    public byte Level;

    /// <summary>Channel; 11 marks TraceLogging.</summary>
    public byte Channel;

    /// <summary>Task.</summary>
    public ushort Task;

    /// <summary>Keywords.</summary>
    public ulong Keywords;

    /// <summary>Header flags.</summary>
    public ushort Flags;

    /// <summary>Activity id, empty when there is none.</summary>
    public Guid ActivityId;

    /// <summary>The extended data items, undecoded; empty when there are none.</summary>
    public ReadOnlySpan<byte> ExtendedData;

    /// <summary>The payload.</summary>
    public ReadOnlySpan<byte> Payload;

    /// <summary>The whole record, header included, without the padding behind it.</summary>
    public ReadOnlySpan<byte> Bytes;

    /// <summary>Offset in the file of the buffer that holds it.</summary>
    public long BufferOffset;

    /// <summary>Offset of the record inside its (decompressed) buffer.</summary>
    public int OffsetInBuffer;

    /// <summary>Whether it is a classic or kernel record, which has an opcode and no event id.</summary>
    public readonly bool IsClassic => HeaderType is not (EtlHeaderType.Event or EtlHeaderType.Message);
}
