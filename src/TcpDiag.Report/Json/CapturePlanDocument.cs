using System.Collections.Generic;
using System.IO;
using System.Text.Json;

namespace TcpDiag.Report.Json;

/// <summary>What a recording would do (docs/schemas/capture-plan.json).</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Engine">What records.</param>
/// <param name="Reason">Why that.</param>
/// <param name="WindowsBuild">The build it is for; null on Linux.</param>
/// <param name="Match">Which traffic was asked for.</param>
/// <param name="DurationSeconds">Longest duration.</param>
/// <param name="Until">Conditions that end it, whichever comes first; empty for none.</param>
/// <param name="Start">Commands that start it.</param>
/// <param name="Stop">Commands that stop it.</param>
/// <param name="DiskBytes">Disk space it takes, at most.</param>
/// <param name="MemoryBytes">Memory that is never paged out; null where the system decides.</param>
/// <param name="Processor">What it costs in processor time.</param>
/// <param name="Privacy">Which personal data the trace will hold.</param>
/// <param name="Remarks">Where it records more or less than was asked for.</param>
public sealed record CapturePlanDocument(
    string Schema,
    string Engine,
    string Reason,
    int? WindowsBuild,
    string Match,
    double DurationSeconds,
    IReadOnlyList<string> Until,
    IReadOnlyList<PlannedCommandEntry> Start,
    IReadOnlyList<PlannedCommandEntry> Stop,
    long DiskBytes,
    long? MemoryBytes,
    string Processor,
    string Privacy,
    IReadOnlyList<string> Remarks)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/capture-plan/1";

    /// <summary>Writes the document.</summary>
    public void Write(TextWriter output) => output.WriteLine(JsonSerializer.Serialize(this, CaptureJsonContext.Default.CapturePlanDocument));
}

/// <summary>A command that a recording runs.</summary>
/// <param name="Command">As it is typed.</param>
/// <param name="Program">The program.</param>
/// <param name="Arguments">Its arguments, not quoted.</param>
/// <param name="Purpose">What it is for.</param>
public sealed record PlannedCommandEntry(string Command, string Program, IReadOnlyList<string> Arguments, string Purpose);
