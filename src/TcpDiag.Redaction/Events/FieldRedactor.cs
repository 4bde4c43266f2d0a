using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Redaction.Events;

/// <summary>
/// Redacts single fields of events in place. Addresses, ports, texts, user ids and GUIDs, recognised by their type in the schema or, without one, by their
/// name, get pseudonyms; numbers and times stay; bytes of unknown meaning become zero.
/// </summary>
sealed class FieldRedactor(Pseudonyms names)
{
    const int Ipv4Bytes = 4;
    const int Ipv6Bytes = 16;
    const int GuidBytes = 16;
    const int PortBytes = 2;

    /// <summary>Returns false if the elements cannot be separated: the rest of the payload must be removed.</summary>
    public bool TryRedact(FieldSchema schema, Span<byte> data, int count)
    {
        if (schema.IsArray && IsCounted(schema.InType))
        {
            return false;
        }

        int size = schema.IsArray && count > 0 ? data.Length / count : data.Length;
        bool isCharacters = schema.IsArray && schema.OutType is OutType.Character or OutType.Utf8;
        if (isCharacters || size == 0 || InTypes.IsUtf16(schema.InType) || InTypes.IsAnsi(schema.InType))
        {
            RedactText(isCharacters ? size == sizeof(char) : InTypes.IsUtf16(schema.InType), data);
        }
        else if (schema.InType == InType.Binary || (schema.IsArray && IsPlain(schema)))
        {
            RedactBytes(schema, data);
        }
        else
        {
            for (Span<byte> rest = data; rest.Length >= size; rest = rest[size..])
            {
                RedactValue(schema, rest[..size]);
            }
        }

        return true;
    }

    // An array of numbers may be anything, even a text.
    static bool IsPlain(FieldSchema schema) =>
        InTypes.IsInteger(schema.InType) && schema.OutType is not (OutType.Ipv4 or OutType.IpAddress or OutType.Port);

    static bool IsCounted(InType type) => type
        is InType.ManifestCountedString or InType.ManifestCountedAnsiString or InType.CountedString or InType.CountedAnsiString
        or InType.ReversedCountedString or InType.ReversedCountedAnsiString or InType.ManifestCountedBinary or InType.HexDump
        or InType.Sid or InType.WbemSid;

    void RedactText(bool isWide, Span<byte> data)
    {
        if (isWide)
        {
            names.ReplaceText16(data);
        }
        else
        {
            names.ReplaceText8(data);
        }
    }

    void RedactValue(FieldSchema schema, Span<byte> value)
    {
        switch (schema.InType)
        {
            case InType.Sid or InType.WbemSid:
                names.ReplaceSid(value);
                break;
            case InType.Guid:
                names.ReplaceGuid(value);
                break;
            case InType.ManifestCountedBinary or InType.HexDump:
                RedactBytes(schema, value);
                break;
            default:
                RedactNumber(schema, value);
                break;
        }
    }

    void RedactNumber(FieldSchema schema, Span<byte> value)
    {
        bool isAddress = schema.OutType is OutType.Ipv4 or OutType.IpAddress
            // e.g. IPv4DestinationPrefix
            || (schema.InType is InType.UInt32 or InType.HexInt32 or InType.Int32 && EndsWith(schema, "addr", "address", "prefix"));
        bool isPort = schema.OutType == OutType.Port || EndsWith(schema, "port");
        if (isAddress && value.Length == Ipv4Bytes)
        {
            names.ReplaceAddress(value);
        }
        else if (isPort && value.Length == PortBytes && schema.OutType == OutType.Port)
        {
            names.ReplacePort(value);
        }
        else if (isPort && value.Length is PortBytes or sizeof(uint) && !value[PortBytes..].ContainsAnyExcept((byte)0))
        {
            BinaryPrimitives.WriteUInt16LittleEndian(value, names.MapPort(BinaryPrimitives.ReadUInt16LittleEndian(value)));
        }
    }

    void RedactBytes(FieldSchema schema, Span<byte> value)
    {
        bool isNamedAddress = EndsWith(schema, "addr", "address");
        bool isAddress = schema.OutType == OutType.IpAddress || isNamedAddress;
        bool looksLikeSocketAddress = schema.OutType == OutType.Default && isNamedAddress && value.Length >= Ipv6Bytes && value[1] == 0;
        if (schema.OutType == OutType.SocketAddress || looksLikeSocketAddress)
        {
            RedactSocketAddress(value);
        }
        else if (value.Length == LinkAddressMap.Bytes && (schema.OutType == OutType.Mac || isAddress))
        {
            names.ReplaceMac(value);
        }
        else if (value.Length is Ipv4Bytes or Ipv6Bytes && isAddress)
        {
            names.ReplaceAddress(value);
        }
        else
        {
            names.Counts.Add(RedactionKind.OpaqueEventBytes, value.Length);
            value.Clear();
        }
    }

    // Family and port; then for family 2 the address and eight unused bytes, for family 23 flow label, address, scope.
    void RedactSocketAddress(Span<byte> value)
    {
        const ushort inet = 2;
        const ushort inet6 = 23;
        const int inetLength = 8;
        const int inet6Length = 28;
        ushort family = value.Length >= inetLength ? BinaryPrimitives.ReadUInt16LittleEndian(value) : (ushort)0;
        switch (family)
        {
            case inet:
                names.ReplacePort(value[2..4]);
                names.ReplaceAddress(value[4..8]);
                value[inetLength..].Clear();
                break;
            case inet6 when value.Length >= 24:
                names.ReplacePort(value[2..4]);
                value[4..8].Clear();
                names.ReplaceAddress(value[8..24]);
                value[Math.Min(inet6Length, value.Length)..].Clear();
                break;
            default:
                value[Math.Min(sizeof(ushort), value.Length)..].Clear();
                break;
        }
    }

    static bool EndsWith(FieldSchema schema, params ReadOnlySpan<string> endings)
    {
        foreach (string ending in endings)
        {
            if (schema.Name.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }
}

/// <summary>Redacts the payload of an event of known layout in place, field by field. What follows the last known field is removed.</summary>
sealed class PayloadRedactor(Pseudonyms names)
{
    readonly FieldRedactor _fields = new(names);

    /// <summary>Returns false if no field could be read.</summary>
    public bool TryRedact(EventSchema schema, in EtlRecord record, Span<byte> payload, out int kept)
    {
        var reader = new PayloadReader(schema, record.Payload, record.Is64Bit);
        bool isKnown = true;
        kept = 0;
        while (isKnown && reader.TryRead(out PayloadField field))
        {
            if (field.Kind != PayloadFieldKind.Value)
            {
                continue;
            }

            int end = record.Payload.Length - reader.Extra.Length;
            isKnown = TryRedact(field, payload[kept..end], record.Payload[kept..end]);
            kept = isKnown ? end : kept;
        }

        return kept > 0 || payload.IsEmpty;
    }

    // The bytes of a field may include a length or pointers before its data, and a NUL behind it.
    bool TryRedact(in PayloadField field, Span<byte> bytes, ReadOnlySpan<byte> original)
    {
        if (field.Data.IsEmpty || !original.Overlaps(field.Data, out int start))
        {
            return true;
        }

        return _fields.TryRedact(field.Schema, bytes.Slice(start, field.Data.Length), field.Count);
    }
}
