using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Net;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// Writes stack events as entries of the systemd journal export format, the form in which pcapng holds them (block type 9)
/// and Wireshark shows them. docs/formats/stack-events.md lists the fields. <see cref="JournalDecoder"/> reads them back.
/// </summary>
public static class JournalEncoder
{
    // Names, time stamps and two endpoints of an entry without numeric fields and texts: 420 bytes, rounded up.
    const int FixedLength = 512;

    // "TCPDIAG_" + the longest name (30) + '=' + a 64-bit number (20) + LF, rounded up; once more in the message.
    const int FieldLength = 64;

    // UTF-16 to UTF-8 takes up to 3 bytes a unit.
    const int BytesPerChar = 3;

    // Fields that the message names; the entry holds all of them.
    const int MessageFields = 6;

    /// <summary>A length that <see cref="Encode(StackEvent, Span{byte})"/> does not exceed.</summary>
    /// <param name="stackEvent">The event.</param>
    /// <returns>Bytes.</returns>
    public static int MaxLength(StackEvent stackEvent)
    {
        int fields = 0;
        for (int at = 0; stackEvent.TryGetNext(at, out StackField field, out _); at = (int)field + 1)
        {
            fields++;
        }

        int text = stackEvent.Text?.Length ?? 0;
        return FixedLength + ((fields + MessageFields) * FieldLength) + (BytesPerChar * ((2 * text) + stackEvent.Source.Length));
    }

    /// <summary>Writes one entry, its closing empty line included.</summary>
    /// <param name="stackEvent">The event.</param>
    /// <param name="destination">At least <see cref="MaxLength"/> bytes.</param>
    /// <returns>Bytes written.</returns>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
    public static int Encode(StackEvent stackEvent, Span<byte> destination)
    {
        if (destination.Length < MaxLength(stackEvent))
        {
            throw new ArgumentException("The destination is shorter than MaxLength.", nameof(destination));
        }

        var writer = new JournalWriter(destination);
        WriteHead(stackEvent, ref writer);
        WriteConnection(stackEvent, ref writer);
        for (int at = 0; stackEvent.TryGetNext(at, out StackField field, out long value); at = (int)field + 1)
        {
            writer.Field(JournalNames.Of(field), value);
        }

        writer.EndEntry();
        return writer.Length;
    }

    /// <summary>Writes one entry, its closing empty line included.</summary>
    /// <param name="stackEvent">The event.</param>
    /// <param name="destination">Where it goes.</param>
    public static void Encode(StackEvent stackEvent, IBufferWriter<byte> destination) =>
        destination.Advance(Encode(stackEvent, destination.GetSpan(MaxLength(stackEvent))));

    static void WriteHead(StackEvent stackEvent, ref JournalWriter writer)
    {
        long nanoseconds = stackEvent.Time.Nanoseconds;
        long microseconds = Math.DivRem(nanoseconds, 1000, out long rest);
        writer.Field(JournalNames.RealTime, rest < 0 ? microseconds - 1 : microseconds);
        WriteMessage(stackEvent, ref writer);
        writer.Field(JournalNames.Identifier, "tcpdiag"u8);
        writer.Field(JournalNames.Kind, JournalNames.Of(stackEvent.Kind));
        writer.Field(JournalNames.Time, nanoseconds);
        if (stackEvent.Source.Length > 0)
        {
            writer.Field(JournalNames.Source, stackEvent.Source);
        }
    }

    static void WriteConnection(StackEvent stackEvent, ref JournalWriter writer)
    {
        if (stackEvent.Tcb != 0)
        {
            writer.HexField(JournalNames.Tcb, stackEvent.Tcb);
        }

        if (stackEvent.ProcessId is { } process)
        {
            writer.Field(JournalNames.ProcessId, process);
        }

        if (stackEvent.Local is { } local)
        {
            writer.Field(JournalNames.Local, local);
        }

        if (stackEvent.Remote is { } remote)
        {
            writer.Field(JournalNames.Remote, remote);
        }

        if (stackEvent.Text is { } text)
        {
            writer.Field(JournalNames.Text, text);
        }
    }

    // e.g. "segment sent, 10.0.0.1:443 to 10.0.0.2:5000, cwnd 14480, snd wnd 65535"
    static void WriteMessage(StackEvent stackEvent, ref JournalWriter writer)
    {
        writer.BeginField(JournalNames.Message);
        writer.Words(JournalNames.Of(stackEvent.Kind));
        if (stackEvent.Text is { } text)
        {
            writer.Raw(" "u8);
            writer.Printable(text);
        }

        if (stackEvent.Local is { } local && stackEvent.Remote is { } remote)
        {
            writer.Raw(", "u8);
            writer.Value(local);
            writer.Raw(" to "u8);
            writer.Value(remote);
        }
        else if (stackEvent.Tcb != 0)
        {
            writer.Raw(", tcb "u8);
            writer.Hex(stackEvent.Tcb);
        }

        int shown = 0;
        for (int at = 0; shown < MessageFields && stackEvent.TryGetNext(at, out StackField field, out long value); at = (int)field + 1)
        {
            writer.Raw(", "u8);
            writer.Words(JournalNames.Of(field)["TCPDIAG_".Length..]);
            writer.Raw(" "u8);
            writer.Value(value);
            shown++;
        }

        writer.EndField();
    }
}

/// <summary>Writes fields of the journal export format into a span that is known to be long enough.</summary>
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
