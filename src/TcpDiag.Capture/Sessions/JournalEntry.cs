using System;

namespace TcpDiag.Capture.Sessions;

/// <summary>One line of a recording's journal.</summary>
/// <param name="Utc">When it was written.</param>
/// <param name="Step">The step that begins.</param>
/// <param name="Engine">In the first line: what records, e.g. <c>netsh</c>.</param>
/// <param name="Output">In the first line: full path of the result as asked for; in that of Collecting, as it will be.</param>
/// <param name="Detail">For people: the command that runs, why it stopped.</param>
public sealed record JournalEntry(DateTimeOffset Utc, CaptureStep Step, string? Engine = null, string? Output = null, string? Detail = null);
