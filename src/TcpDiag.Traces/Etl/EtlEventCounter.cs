using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Counts the records of a file by provider, id or opcode, and version, without looking at anything else. Buffers are
/// shared out among threads, each with a table of its own; the sums do not depend on who counted what.
/// </summary>
public static class EtlEventCounter
{
    /// <summary>Counts all records.</summary>
    /// <param name="file">The file; its input is read from several threads.</param>
    /// <param name="threads">Threads to use; 0 for one per processor, up to eight.</param>
    /// <returns>The counts; damage is noted in <see cref="EtlFile.Problems"/>.</returns>
    public static EtlEventCounts Count(EtlFile file, int threads = 0)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentOutOfRangeException.ThrowIfNegative(threads);
        return Sum(EtlBufferSweep.Run(file, threads, static () => new EtlEventTable()));
    }

    /// <summary>Adds up what several threads have counted.</summary>
    /// <param name="tables">At least one; the first takes in the others.</param>
    /// <returns>The counts, in an order that does not depend on who counted what.</returns>
    internal static EtlEventCounts Sum(IReadOnlyList<EtlEventTable> tables)
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

/// <summary>What <see cref="EtlEventCounter"/> found.</summary>
/// <param name="Records">All records, those of the log file header included.</param>
/// <param name="FirstTicks">Lowest time stamp at the start of a buffer; 0 when there is no record.</param>
/// <param name="LastTicks">Highest time stamp at the end of a buffer; 0 when there is no record.</param>
/// <param name="UncountedRecords">Records whose kind is in no entry because there are more than half a million kinds; 0 in any sound file.</param>
/// <param name="Events">One entry per kind, by provider, id, version, header type and group.</param>
public sealed record EtlEventCounts(
    long Records, long FirstTicks, long LastTicks, long UncountedRecords, IReadOnlyList<EtlEventCount> Events);

/// <summary>How often one kind of record occurs in an .etl file.</summary>
/// <param name="HeaderType">Family of the header.</param>
/// <param name="Provider">Provider, class, or the class that stands for the kernel group; empty when unknown.</param>
/// <param name="Group">Kernel group; 0 for other families.</param>
/// <param name="Id">Event id or message number; the opcode of classic and kernel records.</param>
/// <param name="Version">Version of the payload, its low byte where the header holds 16 bits.</param>
/// <param name="Count">Records of this kind.</param>
public readonly record struct EtlEventCount(
    EtlHeaderType HeaderType, Guid Provider, byte Group, ushort Id, byte Version, long Count);
