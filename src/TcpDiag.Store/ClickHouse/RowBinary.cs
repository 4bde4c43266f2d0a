using System;
using System.Buffers.Binary;
using System.IO;
using System.Text;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>What a value is in ClickHouse's format RowBinary.</summary>
enum BinaryKind
{
    /// <summary>Eight bytes, Int64 or UInt64.</summary>
    Number,

    /// <summary>A byte, 1 for nothing, and else the number.</summary>
    OptionalNumber,

    /// <summary>A length and bytes of UTF-8.</summary>
    Text,

    /// <summary>A byte, 1 for nothing, and else the text.</summary>
    OptionalText,
}

/// <summary>Reads rows as ClickHouse writes them.</summary>
/// <param name="input">The bytes; buffered here.</param>
sealed class RowBinaryReader(Stream input) : IDisposable
{
    const int Buffered = 1 << 16;
    const int LongestText = 1 << 26;

    readonly BufferedStream _input = new(input, Buffered);

    /// <summary>Reads a row.</summary>
    /// <returns>Null at the end.</returns>
    /// <exception cref="IOException">The bytes end in the middle, or are no row.</exception>
    public StoreValue[]? Read(ReadOnlySpan<BinaryKind> kinds)
    {
        int first = _input.ReadByte();
        if (first < 0)
        {
            return null;
        }

        var row = new StoreValue[kinds.Length];
        for (int i = 0; i < row.Length; i++)
        {
            row[i] = Value(kinds[i], i == 0 ? (byte)first : Next());
        }

        return row;
    }

    /// <inheritdoc/>
    public void Dispose() => _input.Dispose();

    StoreValue Value(BinaryKind kind, byte first) => kind switch
    {
        BinaryKind.Number => StoreValue.Of(Number(first)),
        BinaryKind.Text => StoreValue.Of(Text(first)),
        _ when first != 0 => StoreValue.None,
        BinaryKind.OptionalNumber => StoreValue.Of(Number(Next())),
        _ => StoreValue.Of(Text(Next())),
    };

    long Number(byte first)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        bytes[0] = first;
        _input.ReadExactly(bytes[1..]);
        return BinaryPrimitives.ReadInt64LittleEndian(bytes);
    }

    string Text(byte first)
    {
        long length = first & 0x7F;
        for (int shift = 7; first >= 0x80; shift += 7)
        {
            first = Next();
            length |= (long)(first & 0x7F) << shift;
            if (length > LongestText || shift > 28)
            {
                throw new IOException("a text of the answer is longer than any that is stored");
            }
        }

        byte[] bytes = new byte[length];
        _input.ReadExactly(bytes);
        return Encoding.UTF8.GetString(bytes);
    }

    byte Next()
    {
        int next = _input.ReadByte();
        return next >= 0 ? (byte)next : throw new EndOfStreamException("the answer ends in the middle of a row");
    }
}
