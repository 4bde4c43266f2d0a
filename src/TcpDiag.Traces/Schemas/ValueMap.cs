using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>Names of the values of a field; of single bits for a bit map.</summary>
public sealed class ValueMap
{
    readonly uint[] _values;
    readonly string[] _texts;

    /// <summary>Creates a map.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="isBitMap">Whether the values are bits.</param>
    /// <param name="values">The values.</param>
    /// <param name="texts">Their names, one for each value.</param>
    /// <exception cref="ArgumentException">The numbers differ.</exception>
    public ValueMap(string name, bool isBitMap, uint[] values, string[] texts)
    {
        if (texts.Length != values.Length)
        {
            throw new ArgumentException("A map has as many names as values.", nameof(texts));
        }

        Name = name;
        IsBitMap = isBitMap;
        _values = values;
        _texts = texts;
    }

    /// <summary>The manifest's name of the map.</summary>
    public string Name { get; }

    /// <summary>Whether the values are bits, of which several may be set.</summary>
    public bool IsBitMap { get; }

    /// <summary>The values, in the order of <see cref="Texts"/>.</summary>
    public IReadOnlyList<uint> Values => _values;

    /// <summary>The names, in the order of <see cref="Values"/>.</summary>
    public IReadOnlyList<string> Texts => _texts;

    /// <summary>The name of a value.</summary>
    /// <param name="value">The value; of a bit map one bit.</param>
    /// <returns>The name, or null when the map does not know it.</returns>
    public string? TextOf(ulong value)
    {
        for (int i = 0; i < _values.Length; i++)
        {
            if (_values[i] == value)
            {
                return _texts[i];
            }
        }

        return null;
    }
}

/// <summary>Value maps found in a trace: provider GUID, then EVENT_MAP_INFO (docs/formats/etl.md, "Schemas inside the file").</summary>
sealed class EventMapTable
{
    const int GuidLength = 16;
    const int HeadLength = 16;
    const int EntryLength = 8;
    const uint ValueMapFlag = 1;
    const uint BitMapFlag = 2;

    readonly Dictionary<(Guid, string), ValueMap> _maps = [];

    public ValueMap? Find(Guid provider, string name) => _maps.GetValueOrDefault((provider, name));

    /// <summary>Adds the map of a record; a damaged one is passed over.</summary>
    public void TryAdd(ReadOnlySpan<byte> payload)
    {
        if (payload.Length < GuidLength + HeadLength)
        {
            return;
        }

        ReadOnlySpan<byte> info = payload[GuidLength..];
        uint flag = BinaryPrimitives.ReadUInt32LittleEndian(info[4..]);
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(info[8..]);
        if (flag is not (ValueMapFlag or BitMapFlag) || count > (info.Length - HeadLength) / EntryLength)
        {
            return;
        }

        uint[] values = new uint[count];
        string[] texts = new string[count];
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> entry = info[(HeadLength + (EntryLength * i))..];
            texts[i] = InFileText.At(info, BinaryPrimitives.ReadUInt32LittleEndian(entry)).TrimEnd();
            values[i] = BinaryPrimitives.ReadUInt32LittleEndian(entry[4..]);
        }

        string name = InFileText.At(info, BinaryPrimitives.ReadUInt32LittleEndian(info));
        _maps[(new Guid(payload[..GuidLength]), name)] = new ValueMap(name, flag == BitMapFlag, values, texts);
    }
}
