using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>An event that is in both builds with another layout, name or level.</summary>
public sealed record EventChangeEntry(
    string Provider, int Id, int Version, string? Name, IReadOnlyList<string> AddedFields, IReadOnlyList<string> RemovedFields, int OldLevel, int NewLevel);
