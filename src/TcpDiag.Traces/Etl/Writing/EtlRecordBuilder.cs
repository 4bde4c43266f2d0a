using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Etl.Writing;

/// <summary>
/// Puts records of every family together, byte by byte as docs/formats/etl.md says, in one reused piece of memory:
/// <code>
/// builder.AddExtendedItem(EtlExtendedItemType.RelatedActivityId, related);
/// writer.Write(builder.Build(header, payload), processor);
/// </code>
/// </summary>
public sealed class EtlRecordBuilder
{
    // GUID, time stamp, thread and process; 32- or 64-bit provider.
    const ushort MessageFlags = 0x02 | 0x08 | 0x20;
    const ushort Message32 = 0x40;
    const ushort Message64 = 0x80;

    const int ItemHeadLength = 8;
    const ushort AnotherItemFollows = 1;

    readonly byte[] _record = new byte[ushort.MaxValue + 1];
    readonly byte[] _items = new byte[ushort.MaxValue + 1];
    int _itemsLength;
    int _lastItem = -1;

    /// <summary>Adds an extended data item to the next event.</summary>
    /// <param name="type">What the data is.</param>
    /// <param name="data">The data.</param>
    /// <exception cref="ArgumentException">The items would not fit into a record.</exception>
    public void AddExtendedItem(EtlExtendedItemType type, ReadOnlySpan<byte> data)
    {
        int size = EtlRecordLayout.Align8(ItemHeadLength + data.Length);
        if (_itemsLength + size > _items.Length - EtlRecordLayout.EventHeaderLength)
        {
            throw new ArgumentException("The extended items do not fit into a record of 64 KB.", nameof(data));
        }

        if (_lastItem >= 0)
        {
            UInt16(_items, _lastItem + 4, AnotherItemFollows);
        }

        Span<byte> item = _items.AsSpan(_itemsLength, size);
        item.Clear();
        UInt16(item, 0, (ushort)size);
        UInt16(item, 2, (ushort)type);
        UInt16(item, 6, (ushort)data.Length);
        data.CopyTo(item[ItemHeadLength..]);
        _lastItem = _itemsLength;
        _itemsLength += size;
    }

    /// <summary>Puts a record together, with the items added before if it is an event.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="payload">Its payload.</param>
    /// <returns>The record without padding; valid until the next call.</returns>
    /// <exception cref="ArgumentException">The record would be longer than 65,535 bytes.</exception>
    public ReadOnlySpan<byte> Build(scoped in EtlRecordHeader header, scoped ReadOnlySpan<byte> payload)
    {
        _record.AsSpan(0, EtlRecordLayout.EventHeaderLength).Clear();
        int start = header.HeaderType switch
        {
            EtlHeaderType.Event => WriteEvent(header),
            EtlHeaderType.Full or EtlHeaderType.Instance => WriteClassic(header),
            EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo => WriteKernel(header),
            EtlHeaderType.Message => WriteMessage(header),
            EtlHeaderType.Error => WriteMarker(0x0D, 4),
            _ => WriteMarker(0x1F, 4),
        };
        int size = start + payload.Length;
        if (size > ushort.MaxValue)
        {
            throw new ArgumentException("A record is at most 65,535 bytes long.", nameof(payload));
        }

        payload.CopyTo(_record.AsSpan(start));
        bool isKernel = header.HeaderType is EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo;
        UInt16(_record, isKernel ? 4 : 0, (ushort)size);
        _itemsLength = 0;
        _lastItem = -1;
        return _record.AsSpan(0, size);
    }

    int WriteEvent(in EtlRecordHeader header)
    {
        WriteMarker(header.Is64Bit ? 0x13 : 0x12, 0);
        UInt16(_record, 4, (ushort)(_itemsLength > 0 ? 1 : 0));
        WriteThreadAndTime(header);
        Guid(0x18, header.Provider);
        UInt16(_record, 0x28, header.Id);
        _record[0x2A] = header.Version;
        _record[0x2B] = header.Channel;
        _record[0x2C] = header.Level;
        _record[0x2D] = header.Opcode;
        UInt16(_record, 0x2E, header.Task);
        BinaryPrimitives.WriteUInt64LittleEndian(_record.AsSpan(0x30), header.Keywords);
        Guid(0x40, header.ActivityId);
        _items.AsSpan(0, _itemsLength).CopyTo(_record.AsSpan(EtlRecordLayout.EventHeaderLength));
        return EtlRecordLayout.EventHeaderLength + _itemsLength;
    }

    int WriteClassic(in EtlRecordHeader header)
    {
        bool isInstance = header.HeaderType == EtlHeaderType.Instance;
        int type = isInstance ? (header.Is64Bit ? 0x15 : 0x0B) : (header.Is64Bit ? 0x14 : 0x0A);
        WriteMarker(type, 0);
        _record[4] = header.Opcode;
        _record[5] = header.Level;
        UInt16(_record, 6, header.Version);
        WriteThreadAndTime(header);
        Guid(0x18, header.Provider);
        return isInstance ? 0x48 : 0x30;
    }

    int WriteKernel(in EtlRecordHeader header)
    {
        (int type, int length) = header.HeaderType switch
        {
            EtlHeaderType.System => (0x01, 0x20),
            EtlHeaderType.Compact => (0x03, 0x18),
            _ => (0x10, 0x10),
        };
        WriteMarker(header.Is64Bit ? type + 1 : type, 0);
        UInt16(_record, 0, header.Version);
        _record[6] = header.Opcode;
        _record[7] = header.Group;
        if (header.HeaderType == EtlHeaderType.PerfInfo)
        {
            BinaryPrimitives.WriteInt64LittleEndian(_record.AsSpan(8), header.Ticks);
        }
        else
        {
            WriteThreadAndTime(header);
        }

        return length;
    }

    int WriteMessage(in EtlRecordHeader header)
    {
        _record[3] = 0x90;
        UInt16(_record, 4, header.Id);
        UInt16(_record, 6, (ushort)(MessageFlags | (header.Is64Bit ? Message64 : Message32)));
        Guid(8, header.Provider);
        BinaryPrimitives.WriteInt64LittleEndian(_record.AsSpan(0x18), header.Ticks);
        BinaryPrimitives.WriteUInt32LittleEndian(_record.AsSpan(0x20), header.ThreadId);
        BinaryPrimitives.WriteUInt32LittleEndian(_record.AsSpan(0x24), header.ProcessId);
        return 0x28;
    }

    int WriteMarker(int type, int length)
    {
        _record[2] = (byte)type;
        _record[3] = 0xC0;
        return length;
    }

    void WriteThreadAndTime(in EtlRecordHeader header)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_record.AsSpan(8), header.ThreadId);
        BinaryPrimitives.WriteUInt32LittleEndian(_record.AsSpan(0x0C), header.ProcessId);
        BinaryPrimitives.WriteInt64LittleEndian(_record.AsSpan(0x10), header.Ticks);
    }

    void Guid(int offset, Guid value) => value.TryWriteBytes(_record.AsSpan(offset));

    static void UInt16(Span<byte> span, int offset, ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(span[offset..], value);
}

/// <summary>
/// The header of a record to be written; the names and meanings are those of <see cref="EtlRecord"/>. What the family of
/// <see cref="HeaderType"/> has no place for is not written.
/// </summary>
public record struct EtlRecordHeader()
{
    /// <summary>The family.</summary>
    public EtlHeaderType HeaderType { get; set; } = EtlHeaderType.Event;

    /// <summary>Whether pointers in the payload take 8 bytes (else 4).</summary>
    public bool Is64Bit { get; set; } = true;

    /// <summary>Time stamp in ticks.</summary>
    public long Ticks { get; set; }

    /// <summary>Thread.</summary>
    public uint ThreadId { get; set; }

    /// <summary>Process.</summary>
    public uint ProcessId { get; set; }

    /// <summary>Provider, class or message GUID.</summary>
    public Guid Provider { get; set; }

    /// <summary>Event id or message number.</summary>
    public ushort Id { get; set; }

    /// <summary>Version of the payload.</summary>
    public byte Version { get; set; }

    /// <summary>Opcode.</summary>
    public byte Opcode { get; set; }

    /// <summary>Kernel group.</summary>
    public byte Group { get; set; }

    /// <summary>Level.</summary>
    public byte Level { get; set; }

    /// <summary>Channel.</summary>
    public byte Channel { get; set; }

    /// <summary>Task.</summary>
    public ushort Task { get; set; }

    /// <summary>Keywords.</summary>
    public ulong Keywords { get; set; }

    /// <summary>Activity id.</summary>
    public Guid ActivityId { get; set; }

    /// <summary>Copies the header of a record that was read.</summary>
    /// <param name="record">The record.</param>
    /// <returns>A header that <see cref="EtlRecordBuilder"/> turns into the same one, flags apart.</returns>
    public static EtlRecordHeader Of(EtlRecord record) => new()
    {
        HeaderType = record.HeaderType,
        Is64Bit = record.Is64Bit,
        Ticks = record.Ticks,
        ThreadId = record.ThreadId,
        ProcessId = record.ProcessId,
        Provider = record.Provider,
        Id = record.Id,
        Version = record.Version,
        Opcode = record.Opcode,
        Group = record.Group,
        Level = record.Level,
        Channel = record.Channel,
        Task = record.Task,
        Keywords = record.Keywords,
        ActivityId = record.ActivityId,
    };
}
