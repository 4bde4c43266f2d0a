using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.StackEvents;

/// <summary>One field of a journal export entry, as a view on the entry.</summary>
readonly ref struct JournalField
{
    public JournalField(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        Name = name;
        Value = value;
    }

    /// <summary>The name, without the equals sign.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>The value, without the line feed behind it.</summary>
    public ReadOnlySpan<byte> Value { get; }

    /// <summary>Reads the next field and moves behind it.</summary>
    /// <param name="rest">The entry from here on; shortened by what was read.</param>
    /// <param name="field">The field.</param>
    /// <returns>False at the end of the entry, and where no field stands.</returns>
    public static bool TryRead(scoped ref ReadOnlySpan<byte> rest, out JournalField field)
    {
        field = default;
        int lineEnd = rest.IndexOf((byte)'\n');
        ReadOnlySpan<byte> line = lineEnd < 0 ? rest : rest[..lineEnd];
        if (line.IsEmpty)
        {
            return false;
        }

        int equals = line.IndexOf((byte)'=');
        if (equals > 0)
        {
            field = new JournalField(line[..equals], line[(equals + 1)..]);
            rest = rest[Math.Min(rest.Length, line.Length + 1)..];
            return true;
        }

        return equals < 0 && lineEnd > 0 && TryReadBinary(line, ref rest, out field);
    }

    // NAME LF, u64 length, bytes, LF
    static bool TryReadBinary(ReadOnlySpan<byte> name, scoped ref ReadOnlySpan<byte> rest, out JournalField field)
    {
        field = default;
        ReadOnlySpan<byte> body = rest[(name.Length + 1)..];
        if (body.Length < sizeof(ulong))
        {
            return false;
        }

        ulong length = BinaryPrimitives.ReadUInt64LittleEndian(body);
        body = body[sizeof(ulong)..];
        if (length > (ulong)body.Length)
        {
            return false;
        }

        field = new JournalField(name, body[..(int)length]);
        rest = body[Math.Min(body.Length, (int)length + 1)..];
        return true;
    }
}
