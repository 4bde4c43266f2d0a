using System;
using System.Buffers.Binary;
using System.Text;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Redaction.Events;

/// <summary>
/// Redacts the extended data items of an event in place: user ids and GUIDs get pseudonyms; numbers, stacks and the description of the event stay, except
/// for names given by third-party programs; the rest becomes zero.
/// </summary>
sealed class ExtendedItemRedactor(Pseudonyms names)
{
    const int HeadLength = 8;
    const int GuidLength = 16;
    const int SidHeadLength = 8;

    byte[] _published = [];

    /// <summary>Redacts all items.</summary>
    /// <param name="items">The bytes between header and payload.</param>
    /// <param name="isUnderstood">Whether the payload could be read with the description among them; otherwise that is removed.</param>
    /// <param name="isWindows">Whether the description comes from Windows; otherwise its names are replaced.</param>
    public void Redact(Span<byte> items, bool isUnderstood, bool isWindows)
    {
        while (items.Length >= HeadLength)
        {
            int size = Math.Clamp(BinaryPrimitives.ReadUInt16LittleEndian(items), HeadLength, items.Length);
            var type = (EtlExtendedItemType)BinaryPrimitives.ReadUInt16LittleEndian(items[2..]);
            int length = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(items[6..]), size - HeadLength);
            Span<byte> data = items.Slice(HeadLength, length);
            items[(HeadLength + length)..size].Clear();
            bool isKept = type is EtlExtendedItemType.EventSchema or EtlExtendedItemType.ProviderTraits
                ? isUnderstood && KeepDescription(type, data, isWindows)
                : TryKeep(type, data);
            if (!isKept)
            {
                names.Counts.Add(RedactionKind.OpaqueEventBytes, data.Length);
                data.Clear();
            }

            items = items[size..];
        }
    }

    bool KeepDescription(EtlExtendedItemType type, Span<byte> description, bool isWindows)
    {
        if (isWindows)
        {
            Publish(description);
            return true;
        }

        if (type == EtlExtendedItemType.EventSchema)
        {
            foreach (Range name in TraceLoggingSchema.NamesIn(description))
            {
                names.ReplaceEventName8(description[name]);
            }

            return true;
        }

        // The traits behind the name may name a group of providers.
        Range provider = TraceLoggingSchema.ProviderNameIn(description);
        names.ReplaceEventName8(description[provider]);
        description[provider.End..].Clear();
        return true;
    }

    // Every event carries its description; the same few repeat.
    void Publish(ReadOnlySpan<byte> description)
    {
        if (!description.SequenceEqual(_published))
        {
            _published = description.ToArray();
            names.Originals.AddPublic(Encoding.Latin1.GetString(description));
        }
    }

    bool TryKeep(EtlExtendedItemType type, Span<byte> data)
    {
        switch (type)
        {
            case EtlExtendedItemType.RelatedActivityId or EtlExtendedItemType.ControlGuid or EtlExtendedItemType.ContainerId when data.Length == GuidLength:
                names.ReplaceGuid(data);
                return true;
            case EtlExtendedItemType.Sid when data.Length >= SidHeadLength:
                names.ReplaceSid(data);
                return true;
            case EtlExtendedItemType.TerminalSessionId:
                return data.Length == sizeof(uint);
            case EtlExtendedItemType.StackTrace32 or EtlExtendedItemType.StackTrace64 or EtlExtendedItemType.PmcCounters:
                return true;
            case EtlExtendedItemType.PebsIndex or EtlExtendedItemType.EventKey or EtlExtendedItemType.ProcessStartKey or EtlExtendedItemType.QpcDelta:
                return data.Length == sizeof(ulong);
            default:
                return false;
        }
    }
}

/// <summary>
/// Redacts the event descriptions that merging adds to a trace (docs/formats/etl.md, "Schemas inside the file"); without them events of a newer build could
/// not be read. Only what a description points at stays: properties and names, which come from manifests; everything else becomes zero. Names given by
/// Windows stay, those of third-party programs are replaced in place.
/// </summary>
sealed class EventInfoRedactor(Pseudonyms names, EventOrigin origin)
{
    const byte EventInfoOpcode = 32;
    const byte MapInfoOpcode = 33;
    const int FixedLength = 0x70;
    const int PropertyLength = 24;
    const int GuidLength = 16;
    const int MapHeadLength = 16;
    const int MapEntryLength = 8;

    // Provider, level, channel, keywords, task, opcode. The messages, and anything else such as binary XML, are removed.
    static ReadOnlySpan<int> NameOffsets => [0x34, 0x38, 0x3C, 0x40, 0x44, 0x48];

    public bool TryRedact(in EtlRecord record, Span<byte> payload, out int kept)
    {
        kept = 0;
        bool isDescription = record.HeaderType == EtlHeaderType.Full && record.Opcode is EventInfoOpcode or MapInfoOpcode
            && record.Provider == InFileSchemaScan.EventInfoClass;
        if (!isDescription)
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
        names.Originals.AddPublicId(id);
        names.Originals.AddPublicId(new Guid(original.Slice(GuidLength, GuidLength))); // the event, or its class
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
        names.Originals.AddPublicId(id);
        original[..end].CopyTo(target);
        KeepName(original, target, GuidLength, GuidLength, isWindows);
        for (int entry = GuidLength + MapHeadLength; entry < end; entry += MapEntryLength)
        {
            KeepName(original, target, entry, GuidLength, isWindows);
        }

        return true;
    }

    // A field that holds the offset of a name; both stay.
    void KeepName(ReadOnlySpan<byte> original, Span<byte> target, int field, int baseOffset, bool isWindows)
    {
        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(original[field..]);
        original.Slice(field, sizeof(uint)).CopyTo(target[field..]);
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
            names.Originals.AddPublic(name);
        }
        else
        {
            names.ReplaceEventName16(kept);
        }
    }
}

/// <summary>
/// Whether the names in a description of events come from Windows, and are publicly known, or from a third-party program. It goes by the name of the
/// provider, which a program may choose freely; a provider without a name counts as third-party.
/// </summary>
sealed class EventOrigin(InFileSchemas inFile)
{
    // Prefixes of the names of providers of Windows, its kernel and Microsoft's programs.
    static readonly string[] Beginnings = ["Microsoft-", "Microsoft.", "Windows", "MSNT_"];

    public bool IsWindows(Guid provider) => IsWindows(provider, inFile.ProviderName(provider));

    /// <summary>Whether a self-describing event comes from Windows.</summary>
    public static bool IsWindows(in EtlRecord record)
    {
        foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData))
        {
            if (item.Type == EtlExtendedItemType.ProviderTraits)
            {
                return IsWindows(record.Provider, Encoding.UTF8.GetString(item.Data[TraceLoggingSchema.ProviderNameIn(item.Data)]));
            }
        }

        return IsWindows(record.Provider, string.Empty);
    }

    public static bool IsWindows(Guid provider, string name) =>
        SchemaCatalog.Bundled.Provider(provider) is not null
        || Array.Exists(Beginnings, beginning => name.StartsWith(beginning, StringComparison.OrdinalIgnoreCase));
}
