using System;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>Redacts the payload of an event whose layout is known, field by field where they stand. What stands behind the last known field goes.</summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class PayloadRedactor(Pseudonyms names)
{
    readonly FieldRedactor _fields = new(names);

    /// <summary>Redacts a payload.</summary>
    /// <param name="schema">Its layout.</param>
    /// <param name="record">The record as it was.</param>
    /// <param name="payload">A copy of its payload, changed.</param>
    /// <param name="kept">Bytes that are kept.</param>
    /// <returns>False when not a single field could be read.</returns>
    public bool TryRedact(EventSchema schema, in EtlRecord record, Span<byte> payload, out int kept)
    {
        var reader = new PayloadReader(schema, record.Payload, record.Is64Bit);
        bool isKnown = true;
        kept = 0;
        while (isKnown && reader.TryRead(out PayloadField field))
        {
            if (field.Kind != PayloadFieldKind.Value)
            {
                continue;
            }

            int end = record.Payload.Length - reader.Extra.Length;
            isKnown = TryRedact(field, payload[kept..end], record.Payload[kept..end]);
            kept = isKnown ? end : kept;
        }

        return kept > 0 || payload.IsEmpty;
    }

    // The bytes of a field with what goes with its data: a length or pointers in front, a NUL behind.
    bool TryRedact(in PayloadField field, Span<byte> bytes, ReadOnlySpan<byte> original)
    {
        if (field.Data.IsEmpty || !original.Overlaps(field.Data, out int start))
        {
            return true;
        }

        return _fields.TryRedact(field.Schema, bytes.Slice(start, field.Data.Length), field.Count);
    }
}
