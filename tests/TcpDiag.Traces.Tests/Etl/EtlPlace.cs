using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Which record of a file, and what it is sorted by.</summary>
readonly record struct EtlPlace(long Ticks, long BufferOffset, int OffsetInBuffer, int Processor, int Length)
{
    internal static List<EtlPlace> List(EtlFile file, EtlReadOrder order)
    {
        var places = new List<EtlPlace>();
        using EtlRecordCursor cursor = file.Read(order);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            places.Add(new EtlPlace(record.Ticks, record.BufferOffset, record.OffsetInBuffer, record.Processor, record.Bytes.Length));
        }

        return places;
    }

    /// <summary>All records, sorted by time stamp, sequence number of the buffer, and place in the file.</summary>
    internal static List<EtlPlace> Sorted(EtlFile file)
    {
        Dictionary<long, long> sequence = file.Entries.ToDictionary(entry => entry.Offset, entry => entry.SequenceNumber);
        return
        [
            .. List(file, EtlReadOrder.File)
                .OrderBy(place => place.Ticks)
                .ThenBy(place => sequence[place.BufferOffset])
                .ThenBy(place => place.BufferOffset)
                .ThenBy(place => place.OffsetInBuffer),
        ];
    }
}
