using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Bundles;

/// <summary>What the machine was like (docs/schemas/snapshot.json): all that decides how its connections behave and that a trace does not tell.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="TakenUtc">When it was taken.</param>
/// <param name="OperatingSystem">System and version.</param>
/// <param name="Sections">One per reader.</param>
public sealed record SystemSnapshot(string Schema, DateTimeOffset TakenUtc, string OperatingSystem, IReadOnlyList<SnapshotSection> Sections)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/snapshot/1";
}
