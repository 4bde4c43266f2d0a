using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Finds when the buffers that a session lost were filled. The header counts them; where exactly that many sequence numbers are
/// missing between the buffers of the file, these are theirs (docs/formats/etl.md, "Losses"). Which processor filled a lost buffer
/// is not known, but on each the numbers grow with time: it was filled after the buffer with the next lower number began there, and
/// before the one with the next higher number did. The span covers all processors.
/// </summary>
static class EtlLossSpans
{
    // So many gaps are everywhere.
    const int MaxGaps = 1000;

    /// <summary>Finds them.</summary>
    /// <returns>A span for each gap; null when the file does not show when buffers were lost, or when single events were, which leave no mark.</returns>
    public static IReadOnlyList<LossSpan>? Find(EtlFile file)
    {
        EtlFileHeader header = file.Header;
        const EtlLogFileModes unnumbered = EtlLogFileModes.Circular | EtlLogFileModes.NoPerProcessorBuffering;
        bool isTold = header.EventsLost == 0 && header.BuffersLost > 0 && header.BuffersLost == file.MissingBuffers
            && (header.LogFileMode & unnumbered) == EtlLogFileModes.None && file.Problems.Count == 0;
        return isTold ? Locate([.. file.Entries.OrderBy(entry => entry.SequenceNumber)], header.Processors, file.Clock) : null;
    }

    static List<LossSpan>? Locate(EtlBufferEntry[] entries, uint processors, EtlClock clock)
    {
        int[] gaps =
        [
            .. Enumerable.Range(1, entries.Length - 1)
                .Where(index => entries[index].SequenceNumber > entries[index - 1].SequenceNumber + 1)
                .Take(MaxGaps + 1),
        ];

        // One of which there is no buffer may have filled any that is missing.
        bool areAllSeen = entries.DistinctBy(entry => entry.Processor).Count() >= processors;
        if (gaps.Length > MaxGaps || !areAllSeen)
        {
            return null;
        }

        long[] begins = Begins(entries, gaps);
        long[] ends = Ends(entries, gaps);
        return [.. gaps.Select((_, index) => new LossSpan(clock.ToTime(begins[index]), End(ends[index])))];

        TraceTime End(long ticks) => ticks == long.MaxValue ? new(long.MaxValue) : clock.ToTime(ticks);
    }

    // The earliest begin of the last buffer before the gap, over the processors.
    static long[] Begins(EtlBufferEntry[] entries, int[] gaps)
    {
        long[] result = new long[gaps.Length];
        Dictionary<ushort, long> last = entries.DistinctBy(entry => entry.Processor).ToDictionary(entry => entry.Processor, _ => entries[0].FirstTicks);
        int next = 0;
        for (int gap = 0; gap < gaps.Length; gap++)
        {
            for (; next < gaps[gap]; next++)
            {
                last[entries[next].Processor] = entries[next].FirstTicks;
            }

            result[gap] = last.Values.Min();
        }

        return result;
    }

    // The latest begin of the first buffer after the gap, over the processors; to the end where one has none.
    static long[] Ends(EtlBufferEntry[] entries, int[] gaps)
    {
        long[] result = new long[gaps.Length];
        Dictionary<ushort, long> first = entries.DistinctBy(entry => entry.Processor).ToDictionary(entry => entry.Processor, _ => long.MaxValue);
        int next = entries.Length - 1;
        for (int gap = gaps.Length - 1; gap >= 0; gap--)
        {
            for (; next >= gaps[gap]; next--)
            {
                first[entries[next].Processor] = entries[next].FirstTicks;
            }

            result[gap] = first.Values.Max();
        }

        return result;
    }
}
