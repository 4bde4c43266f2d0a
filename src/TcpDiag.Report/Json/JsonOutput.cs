using System;
using System.Buffers;
using System.Buffers.Text;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;

namespace TcpDiag.Report.Json;

/// <summary>
/// Writes JSON as UTF-8 without blanks: what <see cref="Utf8JsonWriter"/> would write, in less than half the time (docs/decisions/0066), since names are taken
/// as they stand and nothing is checked. Every value is followed by a comma, which the end of its object or list overwrites.
/// </summary>
/// <param name="output">Where to; not closed.</param>
sealed class JsonOutput(Stream output)
{
    const int BufferBytes = 1 << 16;
    const int MaxNumberBytes = 32; // with the comma behind it
    const int MaxBytesPerChar = 6; // \u0000
    const int MaxPlainChars = 1 << 12;
    const int MaxEscapedChars = 32;
    const int MicrosecondDecimals = 3; // of nanoseconds
    const int SecondDecimals = 9;

    // What JavaScriptEncoder.Default leaves as it is.
    static readonly SearchValues<char> Plain = SearchValues.Create(" !#$%()*,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~");

    readonly byte[] _buffer = new byte[BufferBytes];
    int _length;

    /// <summary>Begins an object in a list, or the document.</summary>
    public void WriteStartObject() => Append("{"u8);

    /// <summary>Begins an object.</summary>
    /// <param name="name">Name of the field; of this and of all names: without characters that JSON escapes.</param>
    public void WriteStartObject(ReadOnlySpan<byte> name) => WriteField(name, "{"u8);

    /// <summary>Ends an object.</summary>
    public void WriteEndObject() => End((byte)'}');

    /// <summary>Begins a list.</summary>
    public void WriteStartArray(ReadOnlySpan<byte> name) => WriteField(name, "["u8);

    /// <summary>Ends a list.</summary>
    public void WriteEndArray() => End((byte)']');

    /// <summary>Writes a field that has no value.</summary>
    public void WriteNull(ReadOnlySpan<byte> name) => WriteField(name, "null,"u8);

    /// <summary>Writes a truth.</summary>
    public void WriteBoolean(ReadOnlySpan<byte> name, bool value) => WriteField(name, value ? "true,"u8 : "false,"u8);

    /// <summary>Writes a field whose value another writer writes.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="write">Writes it.</param>
    public void WriteValue(ReadOnlySpan<byte> name, Action<Utf8JsonWriter> write)
    {
        WriteField(name, default);
        WriteValue(write);
    }

    /// <summary>Writes a value of a list, which another writer writes.</summary>
    /// <param name="write">Writes it.</param>
    public void WriteValue(Action<Utf8JsonWriter> write)
    {
        var value = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(value))
        {
            write(json);
        }

        for (ReadOnlySpan<byte> rest = value.WrittenSpan; !rest.IsEmpty; rest = rest[Math.Min(rest.Length, BufferBytes / 2)..])
        {
            Append(rest[..Math.Min(rest.Length, BufferBytes / 2)]);
        }

        Append(","u8);
    }

    /// <summary>Writes a whole number, or null.</summary>
    public void WriteNumber(ReadOnlySpan<byte> name, long? value)
    {
        if (value is { } known)
        {
            Span<byte> room = BeginField(name, MaxNumberBytes);
            EndNumber(room, WriteDigits(room, known));
        }
        else
        {
            WriteNull(name);
        }
    }

    /// <summary>Writes a number in the fewest digits that identify it, or null.</summary>
    public void WriteNumber(ReadOnlySpan<byte> name, double? value)
    {
        if (value is not { } known)
        {
            WriteNull(name);
        }
        else if (BitConverter.DoubleToInt64Bits(known) == 0)
        {
            WriteNumber(name, 0); // most shares are zero, and an integer is formatted faster
        }
        else
        {
            Span<byte> room = BeginField(name, MaxNumberBytes);
            _ = Utf8Formatter.TryFormat(known, room, out int written);
            EndNumber(room, written);
        }
    }

    /// <summary>Writes a time in microseconds, or null.</summary>
    public void WriteMicroseconds(ReadOnlySpan<byte> name, long? nanoseconds) => WriteDecimal(name, nanoseconds, 1_000, MicrosecondDecimals);

    /// <summary>Writes a time in seconds, or null.</summary>
    public void WriteSeconds(ReadOnlySpan<byte> name, long? nanoseconds) => WriteDecimal(name, nanoseconds, 1_000_000_000, SecondDecimals);

    /// <summary>Writes a text, or null.</summary>
    public void WriteString(ReadOnlySpan<byte> name, string? value)
    {
        if (value is null)
        {
            WriteNull(name);
            return;
        }

        WriteField(name, default);
        WriteStringValue(value);
    }

    /// <summary>Writes a text that has no characters which JSON escapes.</summary>
    public void WriteString(ReadOnlySpan<byte> name, ReadOnlySpan<byte> ascii)
    {
        Span<byte> room = BeginField(name, ascii.Length + 3);
        room[0] = (byte)'"';
        ascii.CopyTo(room[1..]);
        "\","u8.CopyTo(room[(ascii.Length + 1)..]);
        _length += ascii.Length + 3;
    }

    /// <summary>Writes a word that has no characters which JSON escapes, or null where it is empty.</summary>
    public void WriteWord(ReadOnlySpan<byte> name, ReadOnlySpan<byte> ascii)
    {
        if (ascii.IsEmpty)
        {
            WriteNull(name);
        }
        else
        {
            WriteString(name, ascii);
        }
    }

    /// <summary>Writes a list of texts.</summary>
    public void WriteStrings(ReadOnlySpan<byte> name, IReadOnlyList<string> texts)
    {
        WriteStartArray(name);
        for (int i = 0; i < texts.Count; i++)
        {
            WriteStringValue(texts[i]);
        }

        WriteEndArray();
    }

    /// <summary>Ends the document, and hands it on.</summary>
    public void Complete()
    {
        output.Write(_buffer.AsSpan(0, _length - 1)); // no comma behind the last value
        output.Flush();
        _length = 0;
    }

    void WriteStringValue(string value)
    {
        Append("\""u8);
        for (ReadOnlySpan<char> rest = value; !rest.IsEmpty;)
        {
            int plain = rest.IndexOfAnyExcept(Plain);
            plain = Math.Min(plain < 0 ? rest.Length : plain, MaxPlainChars);
            _ = Ascii.FromUtf16(rest[..plain], Room(plain), out int written);
            _length += written;
            rest = rest[plain..];
            rest = rest.IsEmpty ? rest : rest[AppendEscaped(rest)..];
        }

        Append("\","u8);
    }

    // The characters at the beginning that are not plain; how many that are.
    int AppendEscaped(ReadOnlySpan<char> text)
    {
        int length = text.IndexOfAny(Plain);
        length = Math.Min(length < 0 ? text.Length : length, MaxEscapedChars);
        length -= length == MaxEscapedChars && char.IsHighSurrogate(text[length - 1]) ? 1 : 0; // a pair stays together
        Span<byte> utf8 = stackalloc byte[MaxEscapedChars * 3];
        _ = Utf8.FromUtf16(text[..length], utf8, out _, out int encoded);
        _ = JavaScriptEncoder.Default.EncodeUtf8(utf8[..encoded], Room(length * MaxBytesPerChar), out _, out int written);
        _length += written;
        return length;
    }

    // Exact, where a double of the quotient would not be; without an exponent and without zeros at its end.
    void WriteDecimal(ReadOnlySpan<byte> name, long? digits, long unit, int decimals)
    {
        if (digits is null or 0)
        {
            WriteNumber(name, digits);
            return;
        }

        (long whole, long part) = Math.DivRem(digits.Value, unit);
        Span<byte> room = BeginField(name, MaxNumberBytes);
        int written = 0;
        if (digits < 0 && whole == 0)
        {
            room[written++] = (byte)'-';
        }

        written += WriteDigits(room[written..], whole);
        if (part != 0)
        {
            written += WriteFraction(room[written..], (uint)Math.Abs(part), decimals);
        }

        EndNumber(room, written);
    }

    static int WriteFraction(Span<byte> room, uint part, int decimals)
    {
        while (part % 10 == 0)
        {
            part /= 10;
            decimals--;
        }

        room[0] = (byte)'.';
        for (int i = decimals; i > 0; i--)
        {
            room[i] = (byte)('0' + (part % 10));
            part /= 10;
        }

        return decimals + 1;
    }

    static int WriteDigits(Span<byte> room, long value)
    {
        if (value is >= 0 and < 10) // most counts
        {
            room[0] = (byte)('0' + value);
            return 1;
        }

        _ = Utf8Formatter.TryFormat(value, room, out int written);
        return written;
    }

    void WriteField(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        value.CopyTo(BeginField(name, value.Length));
        _length += value.Length;
    }

    // Writes the name; the room behind it is that asked for at least.
    Span<byte> BeginField(ReadOnlySpan<byte> name, int valueBytes)
    {
        Span<byte> field = Room(name.Length + 3 + valueBytes);
        field[0] = (byte)'"';
        name.CopyTo(field[1..]);
        field = field[(name.Length + 1)..];
        "\":"u8.CopyTo(field);
        _length += name.Length + 3;
        return field[2..];
    }

    void EndNumber(Span<byte> room, int length)
    {
        room[length] = (byte)',';
        _length += length + 1;
    }

    void Append(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Room(bytes.Length));
        _length += bytes.Length;
    }

    void End(byte bracket)
    {
        _length -= _buffer[_length - 1] == ',' ? 1 : 0;
        Span<byte> end = Room(2);
        end[0] = bracket;
        end[1] = (byte)',';
        _length += 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    Span<byte> Room(int bytes)
    {
        if (BufferBytes - _length < bytes)
        {
            HandOn();
        }

        return _buffer.AsSpan(_length);
    }

    // The last byte stays: it may be a comma to overwrite.
    [MethodImpl(MethodImplOptions.NoInlining)]
    void HandOn()
    {
        output.Write(_buffer.AsSpan(0, _length - 1));
        _buffer[0] = _buffer[_length - 1];
        _length = 1;
    }
}
