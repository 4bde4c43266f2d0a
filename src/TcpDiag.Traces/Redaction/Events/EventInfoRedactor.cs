using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>
/// Keeps the descriptions of events that merging adds to a trace (docs/formats/etl.md, "Schemas inside the file"): without them nobody can read events of a newer build. Of each
/// description only what it points at stays: properties and names, which come from manifests; everything else becomes zero. Names of Windows
/// stay, those of somebody's own program are replaced where they stand.
/// </summary>
/// <param name="names">Gives the pseudonyms, and learns which names stay.</param>
/// <param name="origin">Tells whose a description is.</param>
sealed class EventInfoRedactor(Pseudonyms names, EventOrigin origin)
{
    const byte EventInfoOpcode = 32;
    const byte MapInfoOpcode = 33;
    const int FixedLength = 0x70;
    const int PropertyLength = 24;
    const int GuidLength = 16;
    const int MapHeadLength = 16;
    const int MapEntryLength = 8;

    // Provider, level, channel, keywords, task, opcode; then the messages. What is in between and behind (binary XML among it) goes.
    static ReadOnlySpan<int> NameOffsets => [0x34, 0x38, 0x3C, 0x40, 0x44, 0x48];

    /// <summary>Redacts a description.</summary>
    /// <param name="record">Any record.</param>
    /// <param name="payload">A copy of its payload, changed.</param>
    /// <param name="kept">Bytes that are kept.</param>
    /// <returns>False when the record is something else.</returns>
    public bool TryRedact(in EtlRecord record, Span<byte> payload, out int kept)
    {
        kept = 0;
        if (record.HeaderType != EtlHeaderType.Full || record.Opcode is not (EventInfoOpcode or MapInfoOpcode) || record.Provider != InFileSchemaScan.EventInfoClass)
        {
            return false;
        }

        ReadOnlySpan<byte> original = record.Payload;
        payload.Clear();
        bool isKept = record.Opcode == EventInfoOpcode ? TryKeepEvent(original, payload) : TryKeepMap(original, payload);
        kept = isKept ? payload.Length : 0;
        return true;
    }

    bool TryKeepEvent(ReadOnlySpan<byte> original, Span<byte> target)
    {
        const int countOffset = 0x64;
        const int fixedEnd = 0x34; // GUIDs, descriptor and source of the description
        if (!TraceEventInfoFields.TryRead(original, new EventMapTable(), out _))
        {
            return false;
        }

        string provider = InFileText.At(original, BinaryPrimitives.ReadUInt32LittleEndian(original[NameOffsets[0]..]));
        var id = new Guid(original[..GuidLength]);
        bool isWindows = EventOrigin.IsWindows(id, provider);
        names.Originals.PublishId(id);
        names.Originals.PublishId(new Guid(original.Slice(GuidLength, GuidLength))); // the event, or its class
        original[..fixedEnd].CopyTo(target);
        original[countOffset..FixedLength].CopyTo(target[countOffset..]);
        foreach (int offset in NameOffsets)
        {
            KeepName(original, target, offset, 0, isWindows);
        }

        int count = (int)BinaryPrimitives.ReadUInt32LittleEndian(original[countOffset..]);
        for (int i = 0; i < count; i++)
        {
            const int nameOffset = 4;
            const int mapOffset = 12;
            int property = FixedLength + (PropertyLength * i);
            original.Slice(property, PropertyLength).CopyTo(target[property..]);
            KeepName(original, target, property + nameOffset, 0, isWindows);
            bool isStruct = (original[property] & 1) != 0;
            if (!isStruct)
            {
                KeepName(original, target, property + mapOffset, 0, isWindows);
            }
        }

        return true;
    }

    bool TryKeepMap(ReadOnlySpan<byte> original, Span<byte> target)
    {
        if (original.Length < GuidLength + MapHeadLength)
        {
            return false;
        }

        uint count = BinaryPrimitives.ReadUInt32LittleEndian(original[(GuidLength + 8)..]);
        if (count > (original.Length - GuidLength - MapHeadLength) / MapEntryLength)
        {
            return false;
        }

        int end = GuidLength + MapHeadLength + ((int)count * MapEntryLength);
        var id = new Guid(original[..GuidLength]);
        bool isWindows = origin.IsWindows(id);
        names.Originals.PublishId(id);
        original[..end].CopyTo(target);
        KeepName(original, target, GuidLength, GuidLength, isWindows);
        for (int entry = GuidLength + MapHeadLength; entry < end; entry += MapEntryLength)
        {
            KeepName(original, target, entry, GuidLength, isWindows);
        }

        return true;
    }

    // A place that holds the offset of a name; both stay.
    void KeepName(ReadOnlySpan<byte> original, Span<byte> target, int place, int baseOffset, bool isWindows)
    {
        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(original[place..]);
        original.Slice(place, sizeof(uint)).CopyTo(target[place..]);
        if (offset == 0 || offset >= original.Length - baseOffset)
        {
            return;
        }

        int start = baseOffset + (int)offset;
        string name = InFileText.At(original[baseOffset..], offset);
        int length = Math.Min(name.Length * sizeof(char), original.Length - start);
        Span<byte> kept = target.Slice(start, length);
        original.Slice(start, length).CopyTo(kept);
        if (isWindows)
        {
            names.Originals.Publish(name);
        }
        else
        {
            names.ReplaceEventName16(kept);
        }
    }
}
