using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>One event of a provider in a build.</summary>
public sealed record EventEntry(
    string Provider, int Id, int Version, string? Name, string? Opcode, int Level, IReadOnlyList<string> Keywords, IReadOnlyList<int> Builds, IReadOnlyList<EventFieldEntry> Fields);
