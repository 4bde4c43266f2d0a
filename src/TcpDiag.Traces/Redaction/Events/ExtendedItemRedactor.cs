using System;
using System.Buffers.Binary;
using System.Text;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>Redacts the extended data items of an event where they stand: user ids and GUIDs get pseudonyms; numbers, stacks and the event's own description stay; the rest becomes zero.</summary>
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
    public void Redact(Span<byte> items, bool isUnderstood)
    {
        while (items.Length >= HeadLength)
        {
            int size = Math.Clamp(BinaryPrimitives.ReadUInt16LittleEndian(items), HeadLength, items.Length);
            var type = (EtlExtendedItemType)BinaryPrimitives.ReadUInt16LittleEndian(items[2..]);
            int length = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(items[6..]), size - HeadLength);
            Span<byte> data = items.Slice(HeadLength, length);
            items[(HeadLength + length)..size].Clear();
            if (!TryKeep(type, data, isUnderstood))
            {
                names.Tally.Add(RedactionKind.OpaqueEventBytes, data.Length);
                data.Clear();
            }

            items = items[size..];
        }
    }

    // The same few descriptions come with every event.
    void Publish(ReadOnlySpan<byte> description, bool isUnderstood)
    {
        if (isUnderstood && !description.SequenceEqual(_published))
        {
            _published = description.ToArray();
            names.Originals.Publish(Encoding.Latin1.GetString(description));
        }
    }

    bool TryKeep(EtlExtendedItemType type, Span<byte> data, bool isUnderstood)
    {
        switch (type)
        {
            case EtlExtendedItemType.RelatedActivityId or EtlExtendedItemType.ControlGuid or EtlExtendedItemType.ContainerId when data.Length == GuidLength:
                names.ReplaceGuid(data);
                return true;
            case EtlExtendedItemType.Sid when data.Length >= SidHeadLength:
                names.ReplaceSid(data);
                return true;
            case EtlExtendedItemType.EventSchema or EtlExtendedItemType.ProviderTraits:
                Publish(data, isUnderstood);
                return isUnderstood;
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
