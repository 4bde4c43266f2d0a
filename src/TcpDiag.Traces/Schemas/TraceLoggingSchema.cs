using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Reads the schema that a self-describing (TraceLogging) event carries in its extended data item 11: u16 size, tag bytes,
/// event name, then fields of name, in-type, out-type, tags and count (docs/formats/etl.md, "Self-describing events").
/// </summary>
static class TraceLoggingSchema
{
    // Real events have some dozens of fields; a blob holds at most 64 KiB.
    const int MaxFields = 4096;

    const byte More = 0x80;
    const byte CountMask = 0x60;
    const byte TypeMask = 0x1F;

    /// <summary>Reads a schema.</summary>
    /// <param name="blob">The data of item 11.</param>
    /// <param name="provider">The provider's GUID.</param>
    /// <param name="providerName">The provider's name.</param>
    /// <returns>The schema; what a damaged blob held before the damage.</returns>
    public static EventSchema Read(ReadOnlySpan<byte> blob, Guid provider, string providerName)
    {
        ReadOnlySpan<byte> rest = blob.Length < sizeof(ushort) ? default : blob[sizeof(ushort)..];
        SkipTags(ref rest);
        string name = TakeText(ref rest);
        var fields = new List<FieldSchema>();
        while (!rest.IsEmpty && fields.Count < MaxFields && TryTakeField(ref rest, out FieldSchema? field))
        {
            fields.Add(field!);
        }

        ResolveStructs(fields);
        return new EventSchema([.. fields]) { Provider = provider, ProviderName = providerName, Name = name };
    }

    /// <summary>Where the names of event and fields are.</summary>
    /// <param name="blob">The data of item 11.</param>
    /// <returns>Their bytes, in order; those that a damaged blob held before the damage.</returns>
    public static IReadOnlyList<Range> NamesIn(ReadOnlySpan<byte> blob)
    {
        ReadOnlySpan<byte> rest = blob.Length < sizeof(ushort) ? default : blob[sizeof(ushort)..];
        SkipTags(ref rest);
        var names = new List<Range> { NameAt(blob, rest) };
        TakeText(ref rest);
        for (bool isField = !rest.IsEmpty; isField && names.Count <= MaxFields; isField = isField && !rest.IsEmpty)
        {
            names.Add(NameAt(blob, rest));
            isField = TryTakeField(ref rest, out _);
        }

        return names;
    }

    /// <summary>Where the name of the provider is in its traits: after a u16 of their size, up to a NUL.</summary>
    /// <param name="traits">The data of item 12.</param>
    /// <returns>Its bytes; none in traits that are too short.</returns>
    public static Range ProviderNameIn(ReadOnlySpan<byte> traits) => traits.Length < sizeof(ushort) ? default : NameAt(traits, traits[sizeof(ushort)..]);

    static Range NameAt(ReadOnlySpan<byte> blob, ReadOnlySpan<byte> rest)
    {
        int start = blob.Length - rest.Length;
        int length = rest.IndexOf((byte)0);
        return start..(length < 0 ? blob.Length : start + length);
    }

    static bool TryTakeField(ref ReadOnlySpan<byte> rest, out FieldSchema? field)
    {
        field = null;
        string name = TakeText(ref rest);
        if (!TryTakeByte(ref rest, out byte inType))
        {
            return false;
        }

        byte outType = 0;
        if ((inType & More) != 0)
        {
            if (!TryTakeByte(ref rest, out outType))
            {
                return false;
            }

            if ((outType & More) != 0)
            {
                SkipTags(ref rest);
            }
        }

        if (!TryTakeCount(inType & CountMask, ref rest, out FieldLength count))
        {
            return false;
        }

        InType type = InTypeOf((InType)(inType & TypeMask));
        field = new FieldSchema(name, type)
        {
            OutType = OutTypes.OfTraceLogging(type, outType & 0x7F),
            Count = count,
            MemberCount = type == InType.Struct ? outType & 0x7F : 0,
        };
        return true;
    }

    static bool TryTakeCount(int flags, ref ReadOnlySpan<byte> rest, out FieldLength count)
    {
        count = flags == 0x40 ? FieldLength.Prefix : FieldLength.None;
        if (flags is 0 or 0x40)
        {
            return true;
        }

        if (rest.Length < sizeof(ushort))
        {
            return false;
        }

        int number = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        rest = rest[sizeof(ushort)..];
        if (flags == 0x20)
        {
            count = FieldLength.Of(number);
            return true;
        }

        // Custom serialisation: its description is passed over.
        rest = rest[Math.Min(number, rest.Length)..];
        return true;
    }

    // A binary carries its length in the payload here.
    static InType InTypeOf(InType type) => type == InType.Binary ? InType.ManifestCountedBinary : type;

    // A struct counts its direct members; the reader needs all fields inside, those of inner structs included.
    static void ResolveStructs(List<FieldSchema> fields)
    {
        for (int i = fields.Count - 1; i >= 0; i--)
        {
            if (fields[i].InType == InType.Struct)
            {
                int end = i + 1;
                for (int member = fields[i].MemberCount; member > 0 && end < fields.Count; member--)
                {
                    end += 1 + fields[end].MemberCount;
                }

                fields[i] = fields[i] with { MemberCount = Math.Min(end, fields.Count) - i - 1 };
            }
        }
    }

    static void SkipTags(ref ReadOnlySpan<byte> rest)
    {
        while (TryTakeByte(ref rest, out byte tag) && (tag & More) != 0)
        {
            // The top bit says that one more follows.
        }
    }

    static bool TryTakeByte(ref ReadOnlySpan<byte> rest, out byte value)
    {
        value = rest.IsEmpty ? (byte)0 : rest[0];
        bool isThere = !rest.IsEmpty;
        rest = rest[(isThere ? 1 : 0)..];
        return isThere;
    }

    static string TakeText(ref ReadOnlySpan<byte> rest)
    {
        int end = rest.IndexOf((byte)0);
        string text = Encoding.UTF8.GetString(end < 0 ? rest : rest[..end]);
        rest = end < 0 ? default : rest[(end + 1)..];
        return text;
    }
}
