using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>A command that a recording runs.</summary>
/// <param name="Command">As it is typed.</param>
/// <param name="Program">The program.</param>
/// <param name="Arguments">Its arguments, not quoted.</param>
/// <param name="Purpose">What it is for.</param>
public sealed record PlannedCommandEntry(string Command, string Program, IReadOnlyList<string> Arguments, string Purpose);
