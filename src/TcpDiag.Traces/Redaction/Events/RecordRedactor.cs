using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>
/// Redacts single records of an .etl file. Headers stay, activity ids get pseudonyms. Payloads stay as far as their layout is known: packets, events of a known schema, descriptions
/// of events; all others go.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
/// <param name="schemas">Finds the layout of payloads.</param>
/// <param name="origin">Tells whose descriptions of events are.</param>
sealed class RecordRedactor(Pseudonyms names, EventSchemaFinder schemas, EventOrigin origin)
{
    const int ActivityOffset = 0x40;
    const int GuidBytes = 16;

    // EventSource manifests: text of the program that logged, with the paths of its files.
    const ushort ManifestId = 65534;

    readonly PacketEventRedactor _packets = new(names);
    readonly PayloadRedactor _payloads = new(names);
    readonly ExtendedItemRedactor _items = new(names);
    readonly EventInfoRedactor _descriptions = new(names, origin);

    /// <summary>Redacts a record.</summary>
    /// <param name="record">The record as it was.</param>
    /// <param name="target">A copy of its bytes, changed.</param>
    /// <returns>Bytes of the copy that are left; its size is set.</returns>
    public int Redact(in EtlRecord record, Span<byte> target)
    {
        bool isUnderstood = true;
        names.Originals.PublishId(record.Provider);
        Span<byte> payload = target[record.PayloadOffset..];
        int kept = record.HeaderType switch
        {
            EtlHeaderType.Message or EtlHeaderType.Error or EtlHeaderType.Unknown => 0,
            EtlHeaderType.System when EtlFileHeaderLayout.IsHeader(record) => FileHeaderRedactor.Redact(record, payload, names),
            _ => RedactPayload(record, payload, out isUnderstood),
        };
        if (record.HeaderType == EtlHeaderType.Event)
        {
            names.ReplaceGuid(target.Slice(ActivityOffset, GuidBytes));
            _items.Redact(target[EtlRecordLayout.EventHeaderLength..record.PayloadOffset], isUnderstood, EventOrigin.IsWindows(record));
        }

        bool isGone = kept == 0 && payload.Length > 0;
        names.Tally.Add(isGone ? RedactionKind.UnknownEvents : RedactionKind.OpaqueEventBytes, isGone ? 1 : payload.Length - kept);
        return SetSize(target, record, record.PayloadOffset + kept);
    }

    static int SetSize(Span<byte> target, in EtlRecord record, int size)
    {
        bool isKernel = record.HeaderType is EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo;
        BinaryPrimitives.WriteUInt16LittleEndian(target[(isKernel ? 4 : 0)..], (ushort)size);
        return size;
    }

    int RedactPayload(in EtlRecord record, Span<byte> payload, out bool isUnderstood)
    {
        isUnderstood = true;
        if (_packets.TryRedact(record, payload, out int kept) || _descriptions.TryRedact(record, payload, out kept))
        {
            return kept;
        }

        EventSchema? schema = record is { HeaderType: EtlHeaderType.Event, Id: ManifestId } ? null : schemas.Find(record).Schema;
        isUnderstood = schema is not null && _payloads.TryRedact(schema, record, payload, out kept);
        return isUnderstood ? kept : 0;
    }
}
