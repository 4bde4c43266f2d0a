using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>Rows written for one insert, as ClickHouse reads them: no text is escaped, so that none can be mistaken.</summary>
/// <param name="kinds">What their columns are.</param>
sealed class RowBlock(BinaryKind[] kinds)
{
    const int FirstRoom = 1 << 12;
    const int LongestLength = 5;

    byte[] _bytes = new byte[FirstRoom];
    int _length;

    /// <summary>The types of their columns.</summary>
    public IEnumerable<string> Types => kinds.Select(kind => kind switch
    {
        BinaryKind.Number => "Int64",
        BinaryKind.OptionalNumber => "Nullable(Int64)",
        BinaryKind.Text => "String",
        _ => "Nullable(String)",
    });

    /// <summary>How many.</summary>
    public int Count { get; private set; }

    /// <summary>Their bytes, valid until the next change.</summary>
    public ReadOnlyMemory<byte> Bytes => _bytes.AsMemory(0, _length);

    /// <summary>Adds a row.</summary>
    public void Add(params ReadOnlySpan<StoreValue> row)
    {
        Write(row, 0);
        Count++;
    }

    /// <summary>Adds a row behind one value more.</summary>
    public void Add(StoreValue first, StoreValue[] row)
    {
        Write([first], 0);
        Write(row, 1);
        Count++;
    }

    /// <summary>Begins anew.</summary>
    public void Clear()
    {
        _length = 0;
        Count = 0;
    }

    void Write(ReadOnlySpan<StoreValue> row, int column)
    {
        foreach (StoreValue value in row)
        {
            Write(kinds[column++], value);
        }
    }

    void Write(BinaryKind kind, StoreValue value)
    {
        if (kind is BinaryKind.OptionalNumber or BinaryKind.OptionalText)
        {
            Room(1)[0] = value.IsNone ? (byte)1 : (byte)0;
            _length++;
            if (value.IsNone)
            {
                return;
            }
        }

        if (kind is BinaryKind.Number or BinaryKind.OptionalNumber)
        {
            BinaryPrimitives.WriteInt64LittleEndian(Room(sizeof(long)), value.Number ?? 0);
            _length += sizeof(long);
            return;
        }

        WriteText(value.Text ?? string.Empty);
    }

    void WriteText(string text)
    {
        int bytes = Encoding.UTF8.GetByteCount(text);
        Span<byte> room = Room(bytes + LongestLength);
        int at = 0;
        uint length = (uint)bytes;
        for (; length >= 0x80; length >>= 7)
        {
            room[at++] = (byte)(length | 0x80);
        }

        room[at++] = (byte)length;
        _length += at + Encoding.UTF8.GetBytes(text, room[at..]);
    }

    Span<byte> Room(int bytes)
    {
        if (_bytes.Length - _length < bytes)
        {
            Array.Resize(ref _bytes, Math.Max(checked(_length + bytes), 2 * _bytes.Length));
        }

        return _bytes.AsSpan(_length);
    }
}
