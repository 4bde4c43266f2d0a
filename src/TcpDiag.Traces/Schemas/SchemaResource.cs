using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Text;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// The schema resource: tables of strings, maps, layouts, keyword sets and providers, addressed by index and turned into
/// objects only when asked for (docs/formats/schemas.md). Trusted: it is part of this assembly.
/// </summary>
sealed class SchemaResource
{
    /// <summary>First bytes of the decompressed resource.</summary>
    public static ReadOnlySpan<byte> Magic => "TDS1"u8;

    const string EmbeddedName = "TcpDiag.Traces.Schemas.Generated.windows-events.br";

    readonly byte[] _bytes;
    readonly int[] _stringOffsets;
    readonly string?[] _strings;
    readonly int[] _mapOffsets;
    readonly ValueMap?[] _maps;
    readonly int[] _layoutOffsets;
    readonly int[] _keywordSetOffsets;
    readonly int _providersOffset;

    public SchemaResource(byte[] bytes)
    {
        _bytes = bytes;
        var cursor = new VarintCursor(bytes, Magic.Length);
        _stringOffsets = ReadOffsets(ref cursor);
        _strings = new string?[_stringOffsets.Length];
        Builds = ReadBuilds(ref cursor);
        _mapOffsets = ReadOffsets(ref cursor);
        _maps = new ValueMap?[_mapOffsets.Length];
        _layoutOffsets = ReadOffsets(ref cursor);
        _keywordSetOffsets = ReadOffsets(ref cursor);
        _providersOffset = cursor.Position;
    }

    public IReadOnlyList<WindowsBuildEntry> Builds { get; }

    /// <summary>Reads and decompresses the resource of this assembly.</summary>
    /// <exception cref="InvalidOperationException">The assembly was built without it.</exception>
    public static SchemaResource LoadEmbedded()
    {
        using Stream stream = typeof(SchemaResource).Assembly.GetManifestResourceStream(EmbeddedName)
            ?? throw new InvalidOperationException("The assembly lacks its schema resource.");
        byte[] compressed = new byte[stream.Length];
        stream.ReadExactly(compressed);
        return new SchemaResource(Decompress(compressed));
    }

    /// <summary>Decompresses a resource: u32 length, then Brotli.</summary>
    /// <exception cref="InvalidDataException">It does not decompress to that length.</exception>
    public static byte[] Decompress(ReadOnlySpan<byte> compressed)
    {
        byte[] bytes = new byte[BinaryPrimitives.ReadInt32LittleEndian(compressed)];
        if (!BrotliDecoder.TryDecompress(compressed[sizeof(int)..], bytes, out int written) || written != bytes.Length)
        {
            throw new InvalidDataException("The schema resource does not decompress.");
        }

        return bytes;
    }

    public string StringAt(int index)
    {
        if (_strings[index] is { } known)
        {
            return known;
        }

        var cursor = new VarintCursor(_bytes, _stringOffsets[index]);
        int length = cursor.ReadInt32();
        return _strings[index] = Encoding.UTF8.GetString(_bytes, cursor.Position, length);
    }

    public List<ProviderCatalog> ReadProviders()
    {
        var cursor = new VarintCursor(_bytes, _providersOffset);
        var providers = new List<ProviderCatalog>();
        for (int count = cursor.ReadInt32(); count > 0; count--)
        {
            int length = cursor.ReadInt32();
            int end = cursor.Position + length;
            var id = new Guid(_bytes.AsSpan(cursor.Position, 16));
            cursor.Position += 16;
            providers.Add(new ProviderCatalog(this, id, StringAt(cursor.ReadInt32()), cursor.Position));
            cursor.Position = end;
        }

        return providers;
    }

    public VariantRecord[] ReadProvider(int offset, out IReadOnlyList<KeyValuePair<string, ulong>> keywords)
    {
        var cursor = new VarintCursor(_bytes, offset);
        var known = new List<KeyValuePair<string, ulong>>();
        for (int count = cursor.ReadInt32(); count > 0; count--)
        {
            string name = StringAt(cursor.ReadInt32());
            known.Add(new(name, cursor.ReadUInt64()));
        }

        keywords = known;
        var variants = new VariantRecord[cursor.ReadInt32()];
        int id = 0;
        for (int i = 0; i < variants.Length; i++)
        {
            id += cursor.ReadInt32();
            variants[i] = new VariantRecord(
                id, cursor.ReadInt32(), cursor.ReadInt32(), cursor.ReadInt32(), cursor.ReadInt32(),
                (byte)cursor.ReadInt32(), cursor.ReadInt32(), cursor.ReadInt32(), (uint)cursor.ReadUInt64());
        }

        return variants;
    }

    public EventSchema ReadSchema(ProviderCatalog provider, VariantRecord record) => new(ReadLayout(record.Layout))
    {
        Provider = provider.Id,
        ProviderName = provider.Name,
        Name = StringAt(record.Name),
        Id = record.Id,
        Version = record.Version,
        Opcode = StringAt(record.Opcode),
        Task = StringAt(record.Task),
        Level = record.Level,
        Keywords = ReadKeywordSet(record.KeywordSet),
    };

    FieldSchema[] ReadLayout(int index)
    {
        var cursor = new VarintCursor(_bytes, _layoutOffsets[index]);
        cursor.ReadInt32();
        var fields = new FieldSchema[cursor.ReadInt32()];
        for (int i = 0; i < fields.Length; i++)
        {
            string name = StringAt(cursor.ReadInt32());
            fields[i] = new FieldSchema(name, (InType)cursor.ReadInt32())
            {
                OutType = (OutType)cursor.ReadInt32(),
                Map = MapAt(cursor.ReadInt32()),
                Length = ReadLength(ref cursor),
                Count = ReadLength(ref cursor),
            };
        }

        return fields;
    }

    // 0 none, else (value << 2 | source)
    static FieldLength ReadLength(ref VarintCursor cursor)
    {
        int code = cursor.ReadInt32();
        return new FieldLength((FieldLengthSource)(code & 3), code >> 2);
    }

    // Counted from 1; 0 is no map.
    ValueMap? MapAt(int number)
    {
        if (number == 0)
        {
            return null;
        }

        return _maps[number - 1] ??= ReadMap(_mapOffsets[number - 1]);
    }

    ValueMap ReadMap(int offset)
    {
        var cursor = new VarintCursor(_bytes, offset);
        cursor.ReadInt32();
        string name = StringAt(cursor.ReadInt32());
        bool isBitMap = cursor.ReadInt32() != 0;
        uint[] values = new uint[cursor.ReadInt32()];
        string[] texts = new string[values.Length];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = (uint)cursor.ReadUInt64();
            texts[i] = StringAt(cursor.ReadInt32());
        }

        return new ValueMap(name, isBitMap, values, texts);
    }

    string[] ReadKeywordSet(int index)
    {
        var cursor = new VarintCursor(_bytes, _keywordSetOffsets[index]);
        cursor.ReadInt32();
        string[] names = new string[cursor.ReadInt32()];
        for (int i = 0; i < names.Length; i++)
        {
            names[i] = StringAt(cursor.ReadInt32());
        }

        return names;
    }

    List<WindowsBuildEntry> ReadBuilds(ref VarintCursor cursor)
    {
        var builds = new List<WindowsBuildEntry>();
        for (int count = cursor.ReadInt32(); count > 0; count--)
        {
            int number = cursor.ReadInt32();
            builds.Add(new WindowsBuildEntry(number, StringAt(cursor.ReadInt32())));
        }

        return builds;
    }

    // A table: count, then entries that each begin with their length in bytes. An offset points at that length.
    static int[] ReadOffsets(ref VarintCursor cursor)
    {
        int[] offsets = new int[cursor.ReadInt32()];
        for (int i = 0; i < offsets.Length; i++)
        {
            offsets[i] = cursor.Position;
            int length = cursor.ReadInt32();
            cursor.Position += length;
        }

        return offsets;
    }
}

/// <summary>Reads numbers of seven bits a byte, low bits first, the top bit set on all but the last.</summary>
/// <param name="bytes">The bytes.</param>
/// <param name="position">Where to begin.</param>
struct VarintCursor(byte[] bytes, int position)
{
    /// <summary>Position of the next number.</summary>
    public int Position { get; set; } = position;

    public int ReadInt32() => (int)ReadUInt64();

    public ulong ReadUInt64()
    {
        ulong value = 0;
        int shift = 0;
        byte next;
        do
        {
            next = bytes[Position++];
            value |= (ulong)(next & 0x7F) << shift;
            shift += 7;
        }
        while (next >= 0x80);

        return value;
    }
}
