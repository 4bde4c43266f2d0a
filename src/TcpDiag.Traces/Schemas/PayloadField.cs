using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Schemas;

/// <summary>One field of a payload as a view on it.</summary>
public ref struct PayloadField
{
    /// <summary>What kind of field it is.</summary>
    public PayloadFieldKind Kind { get; internal set; }

    /// <summary>Name, type and how to show it.</summary>
    public FieldSchema Schema { get; internal set; }

    /// <summary>
    /// The value: without the NUL or the length that goes with it. Of an array all elements, unsplit; split them with
    /// <see cref="PayloadElements"/>.
    /// </summary>
    public ReadOnlySpan<byte> Data { get; internal set; }

    /// <summary>Number of elements of an array, 1 for everything else.</summary>
    public int Count { get; internal set; }

    /// <summary>Of a struct: which element this is, from 0.</summary>
    public int Element { get; internal set; }

    /// <summary>Of the end of a struct: whether no element follows.</summary>
    public bool IsLastElement { get; internal set; }

    /// <summary>How many structs this field is in.</summary>
    public int Depth { get; internal set; }

    /// <summary>Where the field begins in the payload, a count in front of it included.</summary>
    public int Offset { get; internal set; }

    /// <summary>Whether pointers take 8 bytes.</summary>
    public bool Is64Bit { get; internal set; }

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

    // Ports are in network order.
    static ushort ReadUInt16(FieldSchema schema, ReadOnlySpan<byte> data) =>
        schema.OutType == OutType.Port ? BinaryPrimitives.ReadUInt16BigEndian(data) : BinaryPrimitives.ReadUInt16LittleEndian(data);
}

/// <summary>What <see cref="PayloadReader"/> has come to.</summary>
public enum PayloadFieldKind
{
    /// <summary>A field with its value, or an array with all its elements.</summary>
    Value = 0,

    /// <summary>A struct, or one more element of an array of structs, begins.</summary>
    StructStart,

    /// <summary>It ends.</summary>
    StructEnd,
}
