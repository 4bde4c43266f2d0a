using System;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Net;
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

    // What Reset needs may be anywhere in the entry, so it is collected first.
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

    /// <summary>The value, without the line feed after it.</summary>
    public ReadOnlySpan<byte> Value { get; }

    /// <summary>Reads the next field and moves past it.</summary>
    /// <param name="rest">The entry from here on; shortened by what was read.</param>
    /// <param name="field">The field.</param>
    /// <returns>False at the end of the entry, and where there is no field.</returns>
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

/// <summary>Reads endpoints in the form in which <see cref="Endpoint.ToString"/> writes them, from UTF-8.</summary>
static class EndpointParser
{
    /// <summary>Reads an endpoint.</summary>
    /// <param name="text"><c>10.0.0.1:443</c> or <c>[2001:db8::1]:443</c>.</param>
    /// <param name="endpoint">The endpoint.</param>
    public static bool TryParse(ReadOnlySpan<byte> text, out Endpoint endpoint)
    {
        endpoint = default;
        int colon = text.LastIndexOf((byte)':');
        if (colon < 2 || !Utf8Parser.TryParse(text[(colon + 1)..], out ushort port, out int used) || colon + 1 + used != text.Length)
        {
            return false;
        }

        ReadOnlySpan<byte> host = text[..colon];
        bool isIpv6 = host[0] == '[' && host[^1] == ']';
        if (!(isIpv6 ? TryParseIpv6(host[1..^1], out IpAddress address) : TryParseIpv4(host, out address)))
        {
            return false;
        }

        endpoint = new Endpoint(address, port);
        return true;
    }

    static bool TryParseIpv4(ReadOnlySpan<byte> text, out IpAddress address)
    {
        address = default;
        uint bits = 0;
        for (int i = 0; i < 4; i++)
        {
            if (!Utf8Parser.TryParse(text, out byte part, out int used) || (i < 3 && (used == text.Length || text[used] != '.')))
            {
                return false;
            }

            bits = (bits << 8) | part;
            text = text[(i < 3 ? used + 1 : used)..];
        }

        address = IpAddress.FromIpv4(bits);
        return text.IsEmpty;
    }

    static bool TryParseIpv6(ReadOnlySpan<byte> text, out IpAddress address)
    {
        address = default;
        if (text.Contains((byte)'%') || !IPAddress.TryParse(text, out IPAddress? parsed))
        {
            return false;
        }

        Span<byte> bytes = stackalloc byte[16];
        parsed.TryWriteBytes(bytes, out int length);
        address = IpAddress.Read(bytes[..length]);
        return length == 16;
    }
}

/// <summary>
/// Remembers the few source names of a file, so that reading an event makes no string. A fixed table that forgets on
/// collision: threads may overwrite each other's entries, which costs a string and nothing else.
/// </summary>
static class JournalSources
{
    // A file has some dozens of sources (provider, event, version).
    const int Slots = 1024;

    static readonly Entry?[] Table = new Entry?[Slots];

    public static string Intern(ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty)
        {
            return string.Empty;
        }

        var hash = new HashCode();
        hash.AddBytes(name);
        ref Entry? slot = ref Table[hash.ToHashCode() & (Slots - 1)];
        Entry? known = slot;
        if (known is not null && known.Name.AsSpan().SequenceEqual(name))
        {
            return known.Text;
        }

        var entry = new Entry(name.ToArray(), Encoding.UTF8.GetString(name));
        slot = entry;
        return entry.Text;
    }

    sealed record Entry(byte[] Name, string Text);
}
