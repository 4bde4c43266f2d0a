using System;
using System.Buffers;

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
