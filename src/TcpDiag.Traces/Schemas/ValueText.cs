using System;
using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Schemas;

/// <summary>Turns one element of a field into text: as its out-type says, else as its in-type suggests.</summary>
public static class ValueText
{
    /// <summary>Appends the text of one element; nothing is escaped.</summary>
    /// <param name="text">Where it goes.</param>
    /// <param name="schema">The field.</param>
    /// <param name="data">The element.</param>
    public static void Append(StringBuilder text, FieldSchema schema, ReadOnlySpan<byte> data)
    {
        if (InTypes.IsUtf16(schema.InType))
        {
            text.Append(Encoding.Unicode.GetString(data));
        }
        else if (InTypes.IsAnsi(schema.InType))
        {
            text.Append(Encoding.UTF8.GetString(data));
        }
        else if (InTypes.IsInteger(schema.InType) && PayloadField.TryReadInteger(schema, data, out long number))
        {
            AppendNumber(text, schema, data, number);
        }
        else
        {
            AppendOther(text, schema, data);
        }
    }

    /// <summary>The name of a number, where the field has a map that knows it.</summary>
    /// <param name="schema">The field.</param>
    /// <param name="number">Its value.</param>
    /// <returns>The name, the names of the set bits of a bit map, or null.</returns>
    public static string? NameOf(FieldSchema schema, long number)
    {
        if (schema.Map is not { } map)
        {
            return null;
        }

        if (!map.IsBitMap)
        {
            return map.TextOf((ulong)number);
        }

        var names = new StringBuilder();
        for (int i = 0; i < map.Values.Count; i++)
        {
            if (map.Values[i] != 0 && ((ulong)number & map.Values[i]) == map.Values[i])
            {
                names.Append(names.Length > 0 ? "|" : string.Empty).Append(map.Texts[i]);
            }
        }

        return names.Length > 0 ? names.ToString() : null;
    }

    /// <summary>Whether the number is to be shown as text and not as a number.</summary>
    internal static bool IsTextual(FieldSchema schema) => schema.InType is InType.Pointer or InType.HexInt32 or InType.HexInt64
        || schema.OutType is OutType.Ipv4 or OutType.Hex or OutType.Character;

    static void AppendNumber(StringBuilder text, FieldSchema schema, ReadOnlySpan<byte> data, long number)
    {
        if (NameOf(schema, number) is { } name)
        {
            text.Append(name);
        }
        else if (schema.OutType == OutType.Ipv4 && data.Length == 4)
        {
            text.Append(IpAddress.Read(data));
        }
        else if (schema.OutType == OutType.Character && data.Length <= sizeof(char))
        {
            text.Append((char)(data.Length == 1 ? data[0] : BinaryPrimitives.ReadUInt16LittleEndian(data)));
        }
        else if (schema.InType == InType.Boolean || schema.OutType == OutType.Boolean)
        {
            text.Append(number != 0 ? "true" : "false");
        }
        else if (IsTextual(schema) || (schema.OutType == OutType.ErrorCode && number != 0))
        {
            text.Append(CultureInfo.InvariantCulture, $"0x{(data.Length == 4 ? (uint)number : (ulong)number):x}");
        }
        else if (schema.InType is InType.UInt64 or InType.SizeT)
        {
            text.Append(CultureInfo.InvariantCulture, $"{(ulong)number}");
        }
        else
        {
            text.Append(CultureInfo.InvariantCulture, $"{number}");
        }
    }

    static void AppendOther(StringBuilder text, FieldSchema schema, ReadOnlySpan<byte> data)
    {
        switch (schema.InType)
        {
            case InType.Float when data.Length == 4:
                text.Append(CultureInfo.InvariantCulture, $"{BinaryPrimitives.ReadSingleLittleEndian(data):R}");
                break;
            case InType.Double when data.Length == 8:
                text.Append(CultureInfo.InvariantCulture, $"{BinaryPrimitives.ReadDoubleLittleEndian(data):R}");
                break;
            case InType.Guid when data.Length == 16:
                text.Append(new Guid(data));
                break;
            case InType.FileTime when data.Length == 8:
                text.Append(TraceTime.FromFileTime(BinaryPrimitives.ReadInt64LittleEndian(data)));
                break;
            case InType.SystemTime when data.Length == 16:
                AppendSystemTime(text, data);
                break;
            case InType.Sid or InType.WbemSid when data.Length >= 8:
                AppendSid(text, data);
                break;
            default:
                AppendBinary(text, schema, data);
                break;
        }
    }

    static void AppendBinary(StringBuilder text, FieldSchema schema, ReadOnlySpan<byte> data)
    {
        if (schema.OutType == OutType.SocketAddress && SocketAddress.TryRead(data, out Endpoint endpoint))
        {
            text.Append(endpoint);
        }
        else if (schema.OutType == OutType.IpAddress && data.Length is 4 or 16)
        {
            text.Append(IpAddress.Read(data));
        }
        else if (schema.OutType == OutType.Mac && data.Length == 6)
        {
            text.Append(CultureInfo.InvariantCulture, $"{data[0]:x2}:{data[1]:x2}:{data[2]:x2}:{data[3]:x2}:{data[4]:x2}:{data[5]:x2}");
        }
        else
        {
            text.Append(Convert.ToHexStringLower(data));
        }
    }

    // Year, month, day of week, day, hour, minute, second, millisecond.
    static void AppendSystemTime(StringBuilder text, ReadOnlySpan<byte> data)
    {
        Span<ushort> parts = stackalloc ushort[8];
        for (int i = 0; i < parts.Length; i++)
        {
            parts[i] = BinaryPrimitives.ReadUInt16LittleEndian(data[(2 * i)..]);
        }

        text.Append(CultureInfo.InvariantCulture, $"{parts[0]:D4}-{parts[1]:D2}-{parts[3]:D2}T{parts[4]:D2}:{parts[5]:D2}:{parts[6]:D2}.{parts[7]:D3}");
    }

    // S-revision-authority-sub-authorities; the authority is big-endian.
    static void AppendSid(StringBuilder text, ReadOnlySpan<byte> data)
    {
        ulong authority = ((ulong)BinaryPrimitives.ReadUInt16BigEndian(data[2..]) << 32) | BinaryPrimitives.ReadUInt32BigEndian(data[4..]);
        text.Append(CultureInfo.InvariantCulture, $"S-{data[0]}-{authority}");
        for (int at = 8; at + 4 <= data.Length; at += 4)
        {
            text.Append(CultureInfo.InvariantCulture, $"-{BinaryPrimitives.ReadUInt32LittleEndian(data[at..])}");
        }
    }
}
