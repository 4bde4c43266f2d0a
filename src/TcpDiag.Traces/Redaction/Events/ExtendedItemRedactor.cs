using System;
using System.Buffers.Binary;
using System.Text;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>Redacts the extended data items of an event where they stand: user ids and GUIDs get pseudonyms; numbers, stacks and the event's own description stay, but for names that are no one's but its
/// writer's; the rest becomes zero.</summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class ExtendedItemRedactor(Pseudonyms names)
{
    const int HeadLength = 8;
    const int GuidLength = 16;
    const int SidHeadLength = 8;

    byte[] _published = [];

    /// <summary>Redacts all items.</summary>
    /// <param name="items">What stands between header and payload.</param>
    /// <param name="isUnderstood">Whether the payload could be read by the description among them; one that leads nowhere goes.</param>
    /// <param name="isWindows">Whether that is one of Windows; in somebody's own the names are replaced.</param>
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
                names.Tally.Add(RedactionKind.OpaqueEventBytes, data.Length);
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

        // What stands behind the name tells a group of providers.
        Range provider = TraceLoggingSchema.ProviderNameIn(description);
        names.ReplaceEventName8(description[provider]);
        description[provider.End..].Clear();
        return true;
    }

    // The same few descriptions come with every event.
    void Publish(ReadOnlySpan<byte> description)
    {
        if (!description.SequenceEqual(_published))
        {
            _published = description.ToArray();
            names.Originals.Publish(Encoding.Latin1.GetString(description));
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
