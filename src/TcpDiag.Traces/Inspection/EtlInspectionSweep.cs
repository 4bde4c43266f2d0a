using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.EtlPackets;

namespace TcpDiag.Traces.Inspection;

/// <summary>
/// Everything an inspection wants from the records of an .etl file, gathered in one sweep over its buffers by several
/// threads. Counts add up; descriptions do not, because the last word or the first counts: the few buffers that hold some
/// are read once more, in file order.
/// </summary>
sealed class EtlInspectionSweep
{
    /// <summary>Sweeps over a file.</summary>
    /// <param name="file">The file.</param>
    internal EtlInspectionSweep(EtlFile file)
    {
        Visitor[] visitors = EtlBufferSweep.Run(file, threads: 0, static () => new Visitor());
        Counts = EtlEventCounter.Sum([.. visitors.Select(visitor => visitor.Table)]);
        ReadDescriptions(file, visitors.SelectMany(visitor => visitor.Descriptions).Order());
        Captures.TakeCounts([.. visitors.Select(visitor => visitor.Captures)]);
    }

    /// <summary>Records by provider, event and version.</summary>
    internal EtlEventCounts Counts { get; }

    /// <summary>Capture points and their packets.</summary>
    internal EtlCaptureScan Captures { get; } = new();

    /// <summary>Names that providers tell themselves.</summary>
    internal ProviderNameScan Names { get; } = new();

    void ReadDescriptions(EtlFile file, IEnumerable<int> buffers)
    {
        using var buffer = new EtlBuffer(file.Input, file.ProblemLog);
        var record = default(EtlRecord);
        foreach (int index in buffers)
        {
            buffer.Load(file.Entries[index]);
            while (buffer.TryRead(ref record))
            {
                Captures.Add(record);
                Names.Add(record);
            }
        }
    }

    sealed class Visitor : IEtlBufferVisitor
    {
        readonly ProviderNameScan _names = new();

        internal EtlEventTable Table { get; } = new();

        internal EtlCaptureScan Captures { get; } = new();

        internal List<int> Descriptions { get; } = [];

        public void Visit(EtlBuffer buffer, int index)
        {
            Table.Count(buffer);
            buffer.Rewind();
            var record = default(EtlRecord);
            bool describes = false;
            while (buffer.TryRead(ref record))
            {
                describes |= Captures.Add(record) | _names.Add(record);
            }

            if (describes)
            {
                Descriptions.Add(index);
            }
        }
    }
}
