using System;
using System.Buffers;
using System.Buffers.Text;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Unicode;

namespace TcpDiag.Report.Json;

/// <summary>
/// Writes JSON as UTF-8, without blanks. What makes a general writer slow is left out: names are taken as they stand, and nothing is checked. Every value is followed by a
/// comma, which the end of its object or list overwrites.
/// </summary>
/// <param name="output">Where to; not closed.</param>
sealed class JsonOutput(Stream output)
{
    const int BufferBytes = 1 << 16;
    const int MostNumberBytes = 32; // with the comma behind it
    const int MostBytesPerChar = 6; // \u0000
    const int MostPlainChars = 1 << 12;
    const int MostEscapedChars = 32;
    const int MicrosecondDecimals = 3;
    const int SecondDecimals = 9;

    // What JavaScriptEncoder.Default leaves as it is.
    static readonly SearchValues<char> Plain = SearchValues.Create(" !#$%()*,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~");

    readonly byte[] _buffer = new byte[BufferBytes];
    int _length;
    int _pieces; // handed over so far

    /// <summary>Begins an object in a list, or the document.</summary>
    public void WriteStartObject() => Append("{"u8);

    /// <summary>Begins an object.</summary>
    /// <param name="name">Name of the field; of this and of all names: without characters that JSON escapes.</param>
    public void WriteStartObject(ReadOnlySpan<byte> name) => WriteField(name, "{"u8);

    /// <summary>Ends an object.</summary>
    public void WriteEndObject() => End((byte)'}');

    /// <summary>Begins a list.</summary>
    /// <param name="name">Name of the field.</param>
    public void WriteStartArray(ReadOnlySpan<byte> name) => WriteField(name, "["u8);

    /// <summary>Ends a list.</summary>
    public void WriteEndArray() => End((byte)']');

    /// <summary>Writes a field that has no value.</summary>
    /// <param name="name">Name of the field.</param>
    public void WriteNull(ReadOnlySpan<byte> name) => WriteField(name, "null,"u8);

    /// <summary>Writes a truth.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">The truth.</param>
    public void WriteBoolean(ReadOnlySpan<byte> name, bool value) => WriteField(name, value ? "true,"u8 : "false,"u8);

    /// <summary>Writes a field whose value is JSON.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="json">The value.</param>
    public void WriteRaw(ReadOnlySpan<byte> name, ReadOnlySpan<byte> json)
    {
        WriteField(name, default);
        for (; json.Length > BufferBytes / 2; json = json[(BufferBytes / 2)..])
        {
            Append(json[..(BufferBytes / 2)]);
        }

        Append(json);
        Append(","u8);
    }

    /// <summary>Writes a whole number.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">The number; null when not known.</param>
    public void WriteNumber(ReadOnlySpan<byte> name, long? value)
    {
        if (value is not { } known)
        {
            WriteNull(name);
            return;
        }

        Span<byte> room = BeginField(name, MostNumberBytes);
        EndNumber(room, WriteDigits(room, known));
    }

    /// <summary>Writes a number, in as few digits as tell it from all others.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">The number; null when not known.</param>
    public void WriteNumber(ReadOnlySpan<byte> name, double? value)
    {
        if (value is not { } known)
        {
            WriteNull(name);
            return;
        }

        if (BitConverter.DoubleToInt64Bits(known) == 0)
        {
            WriteNumber(name, 0); // most parts of something are, and a whole number is written faster
            return;
        }

        Span<byte> room = BeginField(name, MostNumberBytes);
        _ = Utf8Formatter.TryFormat(known, room, out int written);
        EndNumber(room, written);
    }

    /// <summary>Writes a time in microseconds.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="nanoseconds">The time; null when not known.</param>
    public void WriteMicroseconds(ReadOnlySpan<byte> name, long? nanoseconds) => WriteDecimal(name, nanoseconds, 1_000, MicrosecondDecimals);

    /// <summary>Writes a time in seconds.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="nanoseconds">The time; null when not known.</param>
    public void WriteSeconds(ReadOnlySpan<byte> name, long? nanoseconds) => WriteDecimal(name, nanoseconds, 1_000_000_000, SecondDecimals);

    /// <summary>Writes a text.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">The text; null when not known.</param>
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
    /// <param name="name">Name of the field.</param>
    /// <param name="ascii">The text.</param>
    public void WriteString(ReadOnlySpan<byte> name, ReadOnlySpan<byte> ascii)
    {
        Span<byte> room = BeginField(name, ascii.Length + 3);
        room[0] = (byte)'"';
        ascii.CopyTo(room[1..]);
        room[ascii.Length + 1] = (byte)'"';
        room[ascii.Length + 2] = (byte)',';
        _length += ascii.Length + 3;
    }

    /// <summary>Writes a word that has no characters which JSON escapes.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="ascii">The word; empty when not known.</param>
    public void WriteWord(ReadOnlySpan<byte> name, ReadOnlySpan<byte> ascii)
    {
        if (ascii.IsEmpty)
        {
            WriteNull(name);
            return;
        }

        WriteString(name, ascii);
    }

    /// <summary>Writes a text into a list.</summary>
    /// <param name="value">The text.</param>
    public void WriteStringValue(string value)
    {
        Append("\""u8);
        for (ReadOnlySpan<char> rest = value; !rest.IsEmpty;)
        {
            int plain = rest.IndexOfAnyExcept(Plain);
            plain = Math.Min(plain < 0 ? rest.Length : plain, MostPlainChars);
            _ = Ascii.FromUtf16(rest[..plain], Room(plain), out int written);
            _length += written;
            rest = rest[plain..];
            rest = rest.IsEmpty ? rest : rest[AppendEscaped(rest)..];
        }

        Append("\","u8);
    }

    /// <summary>Writes an object.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">What it is made of; null when not known.</param>
    /// <param name="writeFields">Writes its fields.</param>
    public void WriteObject<T>(ReadOnlySpan<byte> name, T? value, Action<JsonOutput, T> writeFields)
        where T : class
    {
        if (value is null)
        {
            WriteNull(name);
            return;
        }

        WriteStartObject(name);
        writeFields(this, value);
        WriteEndObject();
    }

    /// <inheritdoc cref="WriteObject{T}(ReadOnlySpan{byte}, T, Action{JsonOutput, T})"/>
    public void WriteObject<T>(ReadOnlySpan<byte> name, T? value, Action<JsonOutput, T> writeFields)
        where T : struct
    {
        if (value is not { } known)
        {
            WriteNull(name);
            return;
        }

        WriteStartObject(name);
        writeFields(this, known);
        WriteEndObject();
    }

    /// <summary>Writes a list of texts.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="texts">The texts.</param>
    public void WriteStrings(ReadOnlySpan<byte> name, IReadOnlyList<string> texts)
    {
        WriteStartArray(name);
        foreach (string text in texts)
        {
            WriteStringValue(text);
        }

        WriteEndArray();
    }

    /// <summary>Writes fields, and tells as what.</summary>
    /// <param name="values">What they are made of.</param>
    /// <param name="writeFields">Writes them.</param>
    /// <param name="most">Bytes that are kept together.</param>
    /// <returns>What was written, for <see cref="WriteFields(ReadOnlySpan{byte})"/>; valid until something else is. Empty when it was not kept together.</returns>
    public ReadOnlySpan<byte> WriteFields<T>(in T values, Action<JsonOutput, T> writeFields, int most)
    {
        _ = Room(most);
        (int start, int pieces) = (_length, _pieces);
        writeFields(this, values);
        return _pieces == pieces && _length - start <= most ? _buffer.AsSpan(start, _length - start) : default;
    }

    /// <summary>Writes fields as they were written before.</summary>
    /// <param name="fields">What was written then.</param>
    public void WriteFields(ReadOnlySpan<byte> fields) => Append(fields);

    /// <summary>Ends the document.</summary>
    public void Complete()
    {
        output.Write(_buffer.AsSpan(0, _length - 1)); // no comma behind the last value
        output.Flush();
        _length = 0;
    }

    // Exact, and without an exponent.
    void WriteDecimal(ReadOnlySpan<byte> name, long? digits, long unit, int decimals)
    {
        if (digits is not { } known)
        {
            WriteNull(name);
            return;
        }

        if (known == 0)
        {
            WriteNumber(name, 0);
            return;
        }

        (long whole, long part) = Math.DivRem(known, unit);
        Span<byte> room = BeginField(name, MostNumberBytes);
        int written = 0;
        if (known < 0 && whole == 0)
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

        _ = value.TryFormat(room, out int written, default, null);
        return written;
    }

    // The characters at the beginning that are not plain; how many that are.
    int AppendEscaped(ReadOnlySpan<char> text)
    {
        int length = text.IndexOfAny(Plain);
        length = Math.Min(length < 0 ? text.Length : length, MostEscapedChars);
        length -= length == MostEscapedChars && char.IsHighSurrogate(text[length - 1]) ? 1 : 0; // a pair stays together
        Span<byte> utf8 = stackalloc byte[MostEscapedChars * 3];
        _ = Utf8.FromUtf16(text[..length], utf8, out _, out int encoded);
        _ = JavaScriptEncoder.Default.EncodeUtf8(utf8[..encoded], Room(length * MostBytesPerChar), out _, out int written);
        _length += written;
        return length;
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
            HandOver();
        }

        return _buffer.AsSpan(_length);
    }

    // The last byte stays: it may be a comma to overwrite.
    [MethodImpl(MethodImplOptions.NoInlining)]
    void HandOver()
    {
        output.Write(_buffer.AsSpan(0, _length - 1));
        _buffer[0] = _buffer[_length - 1];
        _length = 1;
        _pieces++;
    }
}
