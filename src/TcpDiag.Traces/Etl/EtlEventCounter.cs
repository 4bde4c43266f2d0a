using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Counts the records of a file by provider, id or opcode, and version, without looking at anything else. Buffers are
/// shared out among threads, each with a table of its own; the sums do not depend on who counted what.
/// </summary>
public static class EtlEventCounter
{
    // Buffers a thread takes at once: few enough to share out evenly, enough for the system to read ahead.
    const int BatchSize = 16;

    // Beyond this the memory is busy, not the processors.
    const int MostThreads = 8;

    /// <summary>Counts all records.</summary>
    /// <param name="file">The file; its input is read from several threads.</param>
    /// <param name="threads">Threads to use; 0 for one per processor, up to eight.</param>
    /// <returns>The counts; damage is noted in <see cref="EtlFile.Problems"/>.</returns>
    public static EtlEventCounts Count(EtlFile file, int threads = 0)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentOutOfRangeException.ThrowIfNegative(threads);
        int batches = (file.Entries.Count + BatchSize - 1) / BatchSize;
        int wanted = threads > 0 ? threads : Math.Min(MostThreads, Environment.ProcessorCount);
        var tables = new EtlEventTable[Math.Clamp(wanted, 1, Math.Max(1, batches))];
        int nextBatch = -1;
        Parallel.For(0, tables.Length, new ParallelOptions { MaxDegreeOfParallelism = tables.Length }, index =>
        {
            var table = new EtlEventTable();
            tables[index] = table;
            using var buffer = new EtlBuffer(file.Input, file.ProblemLog);
            int batch;
            while ((batch = Interlocked.Increment(ref nextBatch)) < batches)
            {
                int end = Math.Min(file.Entries.Count, (batch + 1) * BatchSize);
                for (int entry = batch * BatchSize; entry < end; entry++)
                {
                    buffer.Load(file.Entries[entry]);
                    table.Count(buffer);
                }
            }
        });

        return Merge(tables);
    }

    static EtlEventCounts Merge(EtlEventTable[] tables)
    {
        EtlEventTable sum = tables[0];
        foreach (EtlEventTable table in tables.Skip(1))
        {
            sum.Add(table);
        }

        List<EtlEventCount> events = sum.ToList();
        events.Sort(static (left, right) => Compare(left, right));
        bool isEmpty = sum.Records == 0;
        return new EtlEventCounts(
            sum.Records, isEmpty ? 0 : sum.FirstTicks, isEmpty ? 0 : sum.LastTicks, sum.Uncounted, events);
    }

    static int Compare(in EtlEventCount left, in EtlEventCount right)
    {
        int order = left.Provider.CompareTo(right.Provider);
        order = order != 0 ? order : left.Id.CompareTo(right.Id);
        order = order != 0 ? order : left.Version.CompareTo(right.Version);
        order = order != 0 ? order : left.HeaderType.CompareTo(right.HeaderType);
        return order != 0 ? order : left.Group.CompareTo(right.Group);
    }
}
