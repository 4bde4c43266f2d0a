using System;
using System.Linq;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>What all records of a file add up to.</summary>
sealed class EtlTotals
{
    readonly long[] _byHeaderType = new long[Enum.GetValues<EtlHeaderType>().Length];
    uint _crc = uint.MaxValue;

    internal long Records => _byHeaderType.Sum();

    internal long ExtendedItems { get; private set; }

    internal long PayloadBytes { get; private set; }

    internal long FirstTicks { get; private set; } = long.MaxValue;

    internal long LastTicks { get; private set; } = long.MinValue;

    /// <summary>CRC-32 of all payloads, one after the other.</summary>
    internal uint PayloadCrc => ~_crc;

    internal static EtlTotals Of(EtlFile file, EtlReadOrder order, bool withPayload = true)
    {
        var totals = new EtlTotals();
        using EtlRecordCursor cursor = file.Read(order);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            totals.Add(record, withPayload);
        }

        return totals;
    }

    internal long By(EtlHeaderType type) => _byHeaderType[(int)type];

    void Add(scoped EtlRecord record, bool withPayload)
    {
        _byHeaderType[(int)record.HeaderType]++;
        PayloadBytes += record.Payload.Length;
        FirstTicks = Math.Min(FirstTicks, record.Ticks);
        LastTicks = Math.Max(LastTicks, record.Ticks);
        foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData))
        {
            ExtendedItems += item.Type == EtlExtendedItemType.None ? 0 : 1;
        }

        foreach (byte value in withPayload ? record.Payload : default)
        {
            _crc ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                // Reflected polynomial of ISO 3309.
                _crc = (_crc >> 1) ^ ((_crc & 1) * 0xEDB8_8320);
            }
        }
    }
}
