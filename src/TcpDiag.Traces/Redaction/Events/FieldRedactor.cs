using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>
/// Redacts single fields of events where they stand. Addresses, ports, texts, user ids and GUIDs get pseudonyms, by the types that the schema gives them or, where it gives none, by
/// their names; numbers and times stay; bytes of which nothing tells the meaning become zero.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class FieldRedactor(Pseudonyms names)
{
    const int Ipv4Bytes = 4;
    const int Ipv6Bytes = 16;
    const int GuidBytes = 16;
    const int PortBytes = 2;

    /// <summary>Redacts a field.</summary>
    /// <param name="schema">What it is.</param>
    /// <param name="data">Its value; of an array all elements.</param>
    /// <param name="count">Number of elements.</param>
    /// <returns>False when its elements cannot be told from each other: what follows must go.</returns>
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

    // Numbers in a row may be anything, a text among them.
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
            || (schema.InType is InType.UInt32 or InType.HexInt32 or InType.Int32 && EndsWith(schema, "addr", "address", "prefix")); // e.g. IPv4DestinationPrefix
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
        bool isAddress = schema.OutType == OutType.IpAddress || EndsWith(schema, "addr", "address");
        if (schema.OutType == OutType.SocketAddress || (schema.OutType == OutType.Default && EndsWith(schema, "addr", "address") && value.Length >= Ipv6Bytes && value[1] == 0))
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
            names.Tally.Add(RedactionKind.OpaqueEventBytes, value.Length);
            value.Clear();
        }
    }

    // Family, port, then family 2: address and eight bytes of nothing; family 23: flow, address, scope.
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
