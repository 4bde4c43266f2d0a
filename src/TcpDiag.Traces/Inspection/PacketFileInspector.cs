using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Inspection;

/// <summary>Inspects pcapng and pcap by reading them once.</summary>
static class PacketFileInspector
{
    /// <summary>Counts what a trace holds.</summary>
    /// <param name="reader">Before its first record; read to the end.</param>
    /// <returns>The result.</returns>
    public static TraceInspection Inspect(TraceReader reader)
    {
        long packets = 0;
        TraceTime? start = null;
        TraceTime? end = null;
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Block)
            {
                continue;
            }

            packets += record.Kind == TraceRecordKind.Packet ? 1 : 0;
            start = start is { } first && first < record.Time ? first : record.Time;
            end = end is { } last && last > record.Time ? last : record.Time;
        }

        return new TraceInspection
        {
            Path = reader.Path,
            Format = reader.Format,
            Records = reader.RecordsRead,
            Packets = packets,
            Start = start,
            End = end,
            System = reader.System,
            Problems = [.. reader.Problems],
            Interfaces = [.. reader.Interfaces.Select(found => new InterfaceSummary(found.Name, found.Description, found.LinkType, found.Packets, found.Dropped))],
        };
    }
}
