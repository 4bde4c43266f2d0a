using System;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Net;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.StackEvents;

/// <summary>Writes fields of the journal export format into a span that is known to be long enough.</summary>
/// <param name="destination">Where they go.</param>
ref struct JournalWriter(Span<byte> destination)
{
    readonly Span<byte> _destination = destination;

    /// <summary>Bytes written so far.</summary>
    public int Length { get; private set; }

    public void BeginField(ReadOnlySpan<byte> name)
    {
        Raw(name);
        Raw("="u8);
    }

    public void EndField() => Raw("\n"u8);

    public void EndEntry() => Raw("\n"u8);

    public void Field(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        BeginField(name);
        Raw(value);
        EndField();
    }

    public void Field(ReadOnlySpan<byte> name, long value)
    {
        BeginField(name);
        Value(value);
        EndField();
    }

    public void Field(ReadOnlySpan<byte> name, Endpoint value)
    {
        BeginField(name);
        Value(value);
        EndField();
    }

    public void HexField(ReadOnlySpan<byte> name, ulong value)
    {
        BeginField(name);
        Hex(value);
        EndField();
    }

    /// <summary>A text of any content: with its length in front where it holds a line feed (the format's binary form).</summary>
    public void Field(ReadOnlySpan<byte> name, string value)
    {
        if (!value.Contains('\n', StringComparison.Ordinal))
        {
            BeginField(name);
            Length += Encoding.UTF8.GetBytes(value, _destination[Length..]);
            EndField();
            return;
        }

        Raw(name);
        Raw("\n"u8);
        int bytes = Encoding.UTF8.GetBytes(value, _destination[(Length + sizeof(ulong))..]);
        BinaryPrimitives.WriteUInt64LittleEndian(_destination[Length..], (ulong)bytes);
        Length += sizeof(ulong) + bytes;
        EndField();
    }

    public void Raw(scoped ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_destination[Length..]);
        Length += bytes.Length;
    }

    public void Value(long value)
    {
        Utf8Formatter.TryFormat(value, _destination[Length..], out int written);
        Length += written;
    }

    public void Hex(ulong value)
    {
        Raw("0x"u8);
        Utf8Formatter.TryFormat(value, _destination[Length..], out int written, new('x'));
        Length += written;
    }

    public void Value(Endpoint endpoint)
    {
        Span<byte> bytes = stackalloc byte[16];
        int length = endpoint.Address.Write(bytes);
        if (length == 4)
        {
            WriteIpv4(bytes);
        }
        else
        {
            Raw("["u8);
            new IPAddress(bytes).TryFormat(_destination[Length..], out int written);
            Length += written;
            Raw("]"u8);
        }

        Raw(":"u8);
        Value(endpoint.Port);
    }

    /// <summary>A name of the vocabulary as words: small letters, blanks between them.</summary>
    public void Words(scoped ReadOnlySpan<byte> name)
    {
        foreach (byte letter in name)
        {
            _destination[Length++] = letter is (byte)'-' or (byte)'_' ? (byte)' ' : (byte)char.ToLowerInvariant((char)letter);
        }
    }

    /// <summary>A text from a trace, its control characters replaced.</summary>
    public void Printable(string text)
    {
        foreach (Rune rune in text.EnumerateRunes())
        {
            Length += (Rune.IsControl(rune) ? new Rune('?') : rune).EncodeToUtf8(_destination[Length..]);
        }
    }

    void WriteIpv4(scoped ReadOnlySpan<byte> address)
    {
        for (int i = 0; i < 4; i++)
        {
            if (i > 0)
            {
                Raw("."u8);
            }

            Value(address[i]);
        }
    }
}
