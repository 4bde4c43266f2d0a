using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl;

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
    /// <returns>False behind the last one, and where the chain is damaged.</returns>
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
    /// <param name="source">What follows the EVENT header.</param>
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
