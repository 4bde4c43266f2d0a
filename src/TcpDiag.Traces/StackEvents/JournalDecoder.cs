using System;
using System.Buffers.Text;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// Reads stack events back from entries of the systemd journal export format (docs/formats/stack-events.md). Entries of
/// other programs are refused; fields that this version does not know are passed over.
/// </summary>
public static class JournalDecoder
{
    /// <summary>Reads one entry.</summary>
    /// <param name="entry">The entry, with or without its closing empty line and padding.</param>
    /// <param name="target">Overwritten when the result is true; its content is undefined otherwise.</param>
    /// <returns>False when the entry is no stack event, or is damaged.</returns>
    public static bool TryDecode(ReadOnlySpan<byte> entry, StackEvent target)
    {
        if (!TryReadHead(entry, out StackEventKind kind, out long nanoseconds, out ReadOnlySpan<byte> source))
        {
            return false;
        }

        target.Reset(kind, new TraceTime(nanoseconds), JournalSources.Intern(source));
        bool isWhole = true;
        while (isWhole && JournalField.TryRead(ref entry, out JournalField field))
        {
            isWhole = TryApply(field, target);
        }

        return isWhole && IsEnd(entry);
    }

    // What Reset needs may stand anywhere in the entry, so it is collected first.
    static bool TryReadHead(ReadOnlySpan<byte> entry, out StackEventKind kind, out long nanoseconds, out ReadOnlySpan<byte> source)
    {
        kind = StackEventKind.None;
        nanoseconds = 0;
        source = default;
        bool hasKind = false;
        bool hasTime = false;
        while (JournalField.TryRead(ref entry, out JournalField field))
        {
            if (field.Name.SequenceEqual(JournalNames.Kind))
            {
                hasKind = JournalNames.TryFind(field.Value, out kind);
            }
            else if (field.Name.SequenceEqual(JournalNames.Time))
            {
                hasTime = TryParse(field.Value, out nanoseconds);
            }
            else if (field.Name.SequenceEqual(JournalNames.Source))
            {
                source = field.Value;
            }
        }

        return hasKind && hasTime;
    }

    static bool TryApply(JournalField field, StackEvent target)
    {
        if (JournalNames.TryFind(field.Name, out StackField number))
        {
            bool isNumber = TryParse(field.Value, out long value);
            if (isNumber)
            {
                target.Set(number, value);
            }

            return isNumber;
        }

        return field.Name switch
        {
            _ when field.Name.SequenceEqual(JournalNames.Tcb) => TryApplyTcb(field.Value, target),
            _ when field.Name.SequenceEqual(JournalNames.ProcessId) => TryApplyProcess(field.Value, target),
            _ when field.Name.SequenceEqual(JournalNames.Text) => ApplyText(field.Value, target),
            _ when field.Name.SequenceEqual(JournalNames.Local) => TryApplyEndpoint(field.Value, target, isLocal: true),
            _ when field.Name.SequenceEqual(JournalNames.Remote) => TryApplyEndpoint(field.Value, target, isLocal: false),
            _ => true,
        };
    }

    static bool TryApplyTcb(ReadOnlySpan<byte> value, StackEvent target)
    {
        if (!value.StartsWith("0x"u8) || !Utf8Parser.TryParse(value[2..], out ulong tcb, out int used, 'x') || used + 2 != value.Length)
        {
            return false;
        }

        target.Tcb = tcb;
        return true;
    }

    static bool TryApplyProcess(ReadOnlySpan<byte> value, StackEvent target)
    {
        if (!TryParse(value, out long process) || process is < 0 or > uint.MaxValue)
        {
            return false;
        }

        target.ProcessId = (uint)process;
        return true;
    }

    static bool ApplyText(ReadOnlySpan<byte> value, StackEvent target)
    {
        target.Text = Encoding.UTF8.GetString(value);
        return true;
    }

    static bool TryApplyEndpoint(ReadOnlySpan<byte> value, StackEvent target, bool isLocal)
    {
        if (!EndpointParser.TryParse(value, out Endpoint endpoint))
        {
            return false;
        }

        if (isLocal)
        {
            target.Local = endpoint;
        }
        else
        {
            target.Remote = endpoint;
        }

        return true;
    }

    static bool TryParse(ReadOnlySpan<byte> value, out long number) =>
        Utf8Parser.TryParse(value, out number, out int used) && used == value.Length;

    // The empty line that ends an entry, and what a pcapng block may be padded with.
    static bool IsEnd(ReadOnlySpan<byte> rest) => rest.TrimEnd("\n\0 "u8).IsEmpty;
}
