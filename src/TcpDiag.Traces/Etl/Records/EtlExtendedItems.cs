using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl.Records;

/// <summary>
/// Walks the extended data items between an EVENT header and its payload: u16 size with this head, u16 type, u16 linkage
/// (bit 0: another follows), u16 data size, data, padding (docs/formats/etl.md, "Extended data items").
/// <code>
/// foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData)) { … }
/// </code>
/// </summary>
public ref struct EtlExtendedItems
{
    const int HeadLength = 8;

    ReadOnlySpan<byte> _rest;

    /// <summary>Starts before the first item.</summary>
    /// <param name="extendedData"><see cref="EtlRecord.ExtendedData"/>.</param>
    public EtlExtendedItems(ReadOnlySpan<byte> extendedData)
    {
        _rest = extendedData;
        Current = default;
    }

    /// <summary>The item last stepped to.</summary>
    public EtlExtendedItem Current { get; private set; }

    /// <summary>What <c>foreach</c> calls.</summary>
    /// <returns>A copy of this.</returns>
    public readonly EtlExtendedItems GetEnumerator() => this;

    /// <summary>Steps to the next item.</summary>
    /// <returns>False after the last one, and where the chain is damaged.</returns>
    public bool MoveNext()
    {
        int size = ItemLength(_rest);
        if (size == 0)
        {
            return false;
        }

        int dataSize = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(_rest[6..]), size - HeadLength);
        Current = new EtlExtendedItem(
            (EtlExtendedItemType)BinaryPrimitives.ReadUInt16LittleEndian(_rest[2..]),
            _rest.Slice(HeadLength, dataSize));
        bool another = (_rest[4] & 1) != 0;
        _rest = another ? _rest[size..] : default;
        return true;
    }

    /// <summary>Length of the whole chain; stops before an item that does not fit.</summary>
    /// <returns>Bytes from the first item to the payload.</returns>
    internal static int LengthOf(ReadOnlySpan<byte> source)
    {
        int length = 0;
        int size;
        do
        {
            size = ItemLength(source[length..]);
            length += size;
        }
        while (size != 0 && (source[length - size + 4] & 1) != 0);

        return length;
    }

    static int ItemLength(ReadOnlySpan<byte> source)
    {
        if (source.Length < HeadLength)
        {
            return 0;
        }

        int size = BinaryPrimitives.ReadUInt16LittleEndian(source);
        return size >= HeadLength && size <= source.Length ? size : 0;
    }
}

/// <summary>One extended data item of an event, a view on its record.</summary>
/// <param name="type">What the data is.</param>
/// <param name="data">The data without head and padding.</param>
public readonly ref struct EtlExtendedItem(EtlExtendedItemType type, ReadOnlySpan<byte> data)
{
    /// <summary>What the data is; may be a number this enumeration does not name.</summary>
    public EtlExtendedItemType Type { get; } = type;

    /// <summary>The data without head and padding.</summary>
    public ReadOnlySpan<byte> Data { get; } = data;
}

/// <summary>Types of extended data items (EVENT_HEADER_EXT_TYPE of evntcons.h).</summary>
public enum EtlExtendedItemType
{
    /// <summary>Not a type.</summary>
    None = 0,

    /// <summary>GUID of the related activity.</summary>
    RelatedActivityId = 1,

    /// <summary>Security identifier of the user.</summary>
    Sid = 2,

    /// <summary>Terminal session, u32.</summary>
    TerminalSessionId = 3,

    /// <summary>u32 instance, u32 parent instance, GUID of the parent.</summary>
    InstanceInfo = 4,

    /// <summary>u64 match id, then 4-byte addresses.</summary>
    StackTrace32 = 5,

    /// <summary>u64 match id, then 8-byte addresses.</summary>
    StackTrace64 = 6,

    /// <summary>PEBS index, u64.</summary>
    PebsIndex = 7,

    /// <summary>Performance counters, u64 each.</summary>
    PmcCounters = 8,

    /// <summary>Process state manager key.</summary>
    PsmKey = 9,

    /// <summary>Event key, u64.</summary>
    EventKey = 10,

    /// <summary>TraceLogging: name and fields of the event.</summary>
    EventSchema = 11,

    /// <summary>Name and traits of the provider.</summary>
    ProviderTraits = 12,

    /// <summary>Process start key, u64.</summary>
    ProcessStartKey = 13,

    /// <summary>Control GUID.</summary>
    ControlGuid = 14,

    /// <summary>Performance counter delta, u64.</summary>
    QpcDelta = 15,

    /// <summary>Container id.</summary>
    ContainerId = 16,
}
