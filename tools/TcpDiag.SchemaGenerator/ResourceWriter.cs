using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Text;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.SchemaGenerator;

/// <summary>Collects builds and providers, and writes them as the resource docs/formats/schemas.md describes.</summary>
sealed class ResourceWriter
{
    readonly ResourceTable _strings = new();
    readonly ResourceTable _maps = new();
    readonly ResourceTable _layouts = new();
    readonly ResourceTable _keywordSets = new();
    readonly List<(int Number, int Label)> _builds = [];
    readonly List<byte[]> _providers = [];

    public void AddBuild(int number, string label) => _builds.Add((number, StringIndex(label)));

    public void AddProvider(ProviderFacts facts, IReadOnlyList<KeyValuePair<string, ulong>> keywords, List<Variant> variants)
    {
        var bytes = new VarintWriter();
        bytes.Write(facts.Id.ToByteArray());
        bytes.Write(StringIndex(facts.Name));
        bytes.Write(keywords.Count);
        foreach (KeyValuePair<string, ulong> keyword in keywords)
        {
            bytes.Write(StringIndex(keyword.Key));
            bytes.Write(keyword.Value);
        }

        bytes.Write(variants.Count);
        int id = 0;
        foreach (Variant variant in variants)
        {
            WriteVariant(bytes, variant, id);
            id = variant.Row.Id;
        }

        _providers.Add(bytes.ToArray());
    }

    /// <summary>The resource: u32 length, then everything compressed with Brotli.</summary>
    public byte[] ToResource()
    {
        var bytes = new VarintWriter();
        bytes.Write(SchemaResource.Magic);
        _strings.WriteTo(bytes);
        bytes.Write(_builds.Count);
        foreach ((int number, int label) in _builds)
        {
            bytes.Write(number);
            bytes.Write(label);
        }

        _maps.WriteTo(bytes);
        _layouts.WriteTo(bytes);
        _keywordSets.WriteTo(bytes);
        bytes.Write(_providers.Count);
        foreach (byte[] provider in _providers)
        {
            bytes.Write(provider.Length);
            bytes.Write(provider);
        }

        return Compress(bytes.ToArray());
    }

    static byte[] Compress(byte[] plain)
    {
        // The strongest setting: the file is read a million times more often than written.
        const int Quality = 11;
        const int Window = 22;
        byte[] compressed = new byte[BrotliEncoder.GetMaxCompressedLength(plain.Length)];
        if (!BrotliEncoder.TryCompress(plain, compressed, out int written, Quality, Window))
        {
            throw new InvalidDataException("The resource does not compress.");
        }

        byte[] resource = new byte[sizeof(int) + written];
        BinaryPrimitives.WriteInt32LittleEndian(resource, plain.Length);
        compressed.AsSpan(0, written).CopyTo(resource.AsSpan(sizeof(int)));
        return resource;
    }

    static int LengthCode(FieldLength length) => (length.Value << 2) | (int)length.Source;

    void WriteVariant(VarintWriter bytes, Variant variant, int previousId)
    {
        EventRow row = variant.Row;
        bytes.Write(row.Id - previousId);
        bytes.Write(row.Version);
        bytes.Write(StringIndex(row.Name));
        bytes.Write(StringIndex(row.Opcode));
        bytes.Write(StringIndex(row.Task));
        bytes.Write(row.Level);
        bytes.Write(KeywordSetIndex(row.Keywords));
        bytes.Write(LayoutIndex(variant.Fields));
        bytes.Write(variant.BuildMask);
    }

    int StringIndex(string text) => _strings.IndexOf(Encoding.UTF8.GetBytes(text));

    int KeywordSetIndex(string[] keywords)
    {
        var entry = new VarintWriter();
        entry.Write(keywords.Length);
        foreach (string keyword in keywords)
        {
            entry.Write(StringIndex(keyword));
        }

        return _keywordSets.IndexOf(entry.ToArray());
    }

    int LayoutIndex(FieldSchema[] fields)
    {
        var entry = new VarintWriter();
        entry.Write(fields.Length);
        foreach (FieldSchema field in fields)
        {
            entry.Write(StringIndex(field.Name));
            entry.Write((int)field.InType);
            entry.Write((int)field.OutType);
            entry.Write(field.Map is null ? 0 : MapIndex(field.Map) + 1);
            entry.Write(LengthCode(field.Length));
            entry.Write(LengthCode(field.Count));
        }

        return _layouts.IndexOf(entry.ToArray());
    }

    int MapIndex(ValueMap map)
    {
        var entry = new VarintWriter();
        entry.Write(StringIndex(map.Name));
        entry.Write(map.IsBitMap ? 1 : 0);
        entry.Write(map.Values.Count);
        for (int i = 0; i < map.Values.Count; i++)
        {
            entry.Write(map.Values[i]);
            entry.Write(StringIndex(map.Texts[i]));
        }

        return _maps.IndexOf(entry.ToArray());
    }
}

/// <summary>A table of the resource in which each entry stands once, in the order of first use.</summary>
sealed class ResourceTable
{
    readonly Dictionary<string, int> _indexes = new(StringComparer.Ordinal);
    readonly List<byte[]> _entries = [];

    /// <summary>The index of an entry, which is added when it is new.</summary>
    public int IndexOf(byte[] entry)
    {
        string key = Convert.ToHexString(entry);
        if (!_indexes.TryGetValue(key, out int index))
        {
            index = _entries.Count;
            _indexes.Add(key, index);
            _entries.Add(entry);
        }

        return index;
    }

    /// <summary>Writes the count, then each entry after its length.</summary>
    public void WriteTo(VarintWriter bytes)
    {
        bytes.Write(_entries.Count);
        foreach (byte[] entry in _entries)
        {
            bytes.Write(entry.Length);
            bytes.Write(entry);
        }
    }
}

/// <summary>Writes numbers of seven bits a byte, low bits first, the top bit set on all but the last.</summary>
sealed class VarintWriter
{
    readonly MemoryStream _bytes = new();

    public void Write(ReadOnlySpan<byte> bytes) => _bytes.Write(bytes);

    public void Write(int value) => Write((ulong)value);

    public void Write(ulong value)
    {
        while (value >= 0x80)
        {
            _bytes.WriteByte((byte)(value | 0x80));
            value >>= 7;
        }

        _bytes.WriteByte((byte)value);
    }

    public byte[] ToArray() => _bytes.ToArray();
}
