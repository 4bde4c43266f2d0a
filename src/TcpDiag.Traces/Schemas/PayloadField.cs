using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Schemas;

/// <summary>One field of a payload as a view on it.</summary>
public ref struct PayloadField
{
    /// <summary>What stands here.</summary>
    public PayloadFieldKind Kind;

    /// <summary>Name, type and how to show it.</summary>
    public FieldSchema Schema;

    /// <summary>
    /// The value: without the NUL or the length that goes with it. Of an array all elements as they stand; split them with
    /// <see cref="PayloadElements"/>.
    /// </summary>
    public ReadOnlySpan<byte> Data;

    /// <summary>Number of elements of an array, 1 for everything else.</summary>
    public int Count;

    /// <summary>Of a struct: which element this is, from 0.</summary>
    public int Element;

    /// <summary>Of the end of a struct: whether no element follows.</summary>
    public bool IsLastElement;

    /// <summary>How many structs this field is in.</summary>
    public int Depth;

    /// <summary>Where the field begins in the payload, a count in front of it included.</summary>
    public int Offset;

    /// <summary>Whether pointers take 8 bytes.</summary>
    public bool Is64Bit;

    /// <summary>Reads the value as a whole number.</summary>
    /// <param name="value">The number, sign-extended where the type has a sign; of unsigned 64-bit types the same 64 bits.</param>
    /// <returns>False when the field is an array or no whole number.</returns>
    public readonly bool TryReadInteger(out long value)
    {
        value = 0;
        return !Schema.IsArray && InTypes.IsInteger(Schema.InType) && TryReadInteger(Schema, Data, out value);
    }

    internal static bool TryReadInteger(FieldSchema schema, ReadOnlySpan<byte> data, out long value)
    {
        bool isSigned = InTypes.IsSigned(schema.InType);
        switch (data.Length)
        {
            case 1:
                value = isSigned ? (sbyte)data[0] : data[0];
                return true;
            case 2:
                value = isSigned ? BinaryPrimitives.ReadInt16LittleEndian(data) : ReadUInt16(schema, data);
                return true;
            case 4:
                value = isSigned ? BinaryPrimitives.ReadInt32LittleEndian(data) : BinaryPrimitives.ReadUInt32LittleEndian(data);
                return true;
            case 8:
                value = BinaryPrimitives.ReadInt64LittleEndian(data);
                return true;
            default:
                value = 0;
                return false;
        }
    }

    // Ports stand in network order.
    static ushort ReadUInt16(FieldSchema schema, ReadOnlySpan<byte> data) =>
        schema.OutType == OutType.Port ? BinaryPrimitives.ReadUInt16BigEndian(data) : BinaryPrimitives.ReadUInt16LittleEndian(data);
}
