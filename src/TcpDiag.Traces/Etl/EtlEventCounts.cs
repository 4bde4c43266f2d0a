using System.Collections.Generic;

namespace TcpDiag.Traces.Etl;

/// <summary>What <see cref="EtlEventCounter"/> found.</summary>
/// <param name="Records">All records, those of the log file header included.</param>
/// <param name="FirstTicks">Lowest time stamp at the start of a buffer; 0 when there is no record.</param>
/// <param name="LastTicks">Highest time stamp at the end of a buffer; 0 when there is no record.</param>
/// <param name="UncountedRecords">Records whose kind is in no entry because there are more than half a million kinds; 0 in any sound file.</param>
/// <param name="Events">One entry per kind, by provider, id, version, header type and group.</param>
public sealed record EtlEventCounts(
    long Records, long FirstTicks, long LastTicks, long UncountedRecords, IReadOnlyList<EtlEventCount> Events);
