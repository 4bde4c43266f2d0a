using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>Value maps found in a trace: provider GUID, then EVENT_MAP_INFO (docs/formats/etl.md, "Schemas inside the file").</summary>
sealed class EventMapTable
{
    const int GuidLength = 16;
    const int HeadLength = 16;
    const int EntryLength = 8;
    const uint ValueMapFlag = 1;
    const uint BitMapFlag = 2;

    readonly Dictionary<(Guid, string), ValueMap> _maps = [];

    /// <summary>Finds a map.</summary>
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
