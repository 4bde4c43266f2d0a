using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// The layout of a tracepoint, from its <c>format</c> file in tracefs (Documentation/trace/events.rst §2.1). Offsets move
/// between kernels, so they are always read and never assumed.
/// </summary>
sealed class EventFormat
{
    readonly Dictionary<string, EventField> _fields;

    EventFormat(string name, int id, Dictionary<string, EventField> fields)
    {
        Name = name;
        Id = id;
        _fields = fields;
    }

    /// <summary>Name of the tracepoint, e.g. <c>tcp_probe</c>.</summary>
    public string Name { get; }

    /// <summary>The id of its events in the ring buffer; 16 bits.</summary>
    public int Id { get; }

    /// <summary>Reads a format file.</summary>
    /// <param name="text">Its text.</param>
    /// <param name="format">The layout, or null.</param>
    /// <returns>False when the text has no name, no number or no field.</returns>
    public static bool TryParse(string text, out EventFormat? format)
    {
        string name = string.Empty;
        int id = -1;
        var fields = new Dictionary<string, EventField>(StringComparer.Ordinal);
        foreach (string line in text.Split('\n', StringSplitOptions.TrimEntries))
        {
            if (line.StartsWith("name:", StringComparison.Ordinal))
            {
                name = line[5..].Trim();
            }
            else if (line.StartsWith("ID:", StringComparison.Ordinal))
            {
                id = ushort.TryParse(line.AsSpan(3), NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture, out ushort number) ? number : -1;
            }
            else if (TryParseField(line, out EventField? field) && field is not null)
            {
                fields[field.Name] = field;
            }
        }

        bool isComplete = name.Length > 0 && id >= 0 && fields.Count > 0;
        format = isComplete ? new(name, id, fields) : null;
        return isComplete;
    }

    /// <summary>Reads one line such as <c>field:__u32 snd_cwnd;	offset:88;	size:4;	signed:0;</c>.</summary>
    /// <param name="line">The line.</param>
    /// <param name="field">The field, or null.</param>
    /// <returns>False when the line is no field.</returns>
    public static bool TryParseField(string line, out EventField? field)
    {
        field = null;
        string[] parts = line.Split(';', StringSplitOptions.TrimEntries);
        if (parts.Length < 4 || !parts[0].StartsWith("field:", StringComparison.Ordinal)
            || !TryNumber(parts[1], "offset:", out int offset) || !TryNumber(parts[2], "size:", out int size))
        {
            return false;
        }

        // "const void * skaddr" or "__u8 saddr[28]": the name is the last word, without its dimension.
        string declaration = parts[0];
        int bracket = declaration.IndexOf('[', StringComparison.Ordinal);
        declaration = bracket < 0 ? declaration : declaration[..bracket];
        string name = declaration[(declaration.LastIndexOfAny([' ', ':', '*']) + 1)..];
        field = new(name, offset, size, parts[3] is "signed:1");
        return name.Length > 0;
    }

    /// <summary>A field by name.</summary>
    /// <returns>The field; null when this kernel's tracepoint has none of that name.</returns>
    public EventField? Find(string name) => _fields.GetValueOrDefault(name);

    // Sizes and offsets of events fit a page; anything else is not a format file.
    static bool TryNumber(string part, string label, out int number)
    {
        number = 0;
        if (!part.StartsWith(label, StringComparison.Ordinal)
            || !ushort.TryParse(part.AsSpan(label.Length), NumberStyles.None, CultureInfo.InvariantCulture, out ushort value))
        {
            return false;
        }

        number = value;
        return true;
    }
}

/// <summary>One field of a tracepoint, from its <c>format</c> file.</summary>
/// <param name="Name">Name, e.g. <c>snd_cwnd</c>.</param>
/// <param name="Offset">First byte within the event.</param>
/// <param name="Size">Bytes; of all elements where it is an array.</param>
/// <param name="IsSigned">Whether the sign bit counts.</param>
sealed record EventField(string Name, int Offset, int Size, bool IsSigned)
{
    /// <summary>The bytes of the field.</summary>
    /// <returns>The bytes; empty when the event ends before the field does.</returns>
    public ReadOnlySpan<byte> Slice(ReadOnlySpan<byte> data) =>
        Offset <= data.Length && Size <= data.Length - Offset ? data.Slice(Offset, Size) : [];

    /// <summary>The field as a number.</summary>
    /// <param name="data">The event.</param>
    /// <param name="value">Its value; pointers and 64-bit counters keep their bits.</param>
    /// <returns>False when the field is no number, or the event ends before it.</returns>
    public bool TryRead(ReadOnlySpan<byte> data, out long value)
    {
        ReadOnlySpan<byte> bytes = Slice(data);
        value = bytes.Length switch
        {
            1 => IsSigned ? (sbyte)bytes[0] : bytes[0],
            2 => IsSigned ? BinaryPrimitives.ReadInt16LittleEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes),
            4 => IsSigned ? BinaryPrimitives.ReadInt32LittleEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes),
            8 => BinaryPrimitives.ReadInt64LittleEndian(bytes),
            _ => 0,
        };
        return bytes.Length is 1 or 2 or 4 or 8;
    }
}
