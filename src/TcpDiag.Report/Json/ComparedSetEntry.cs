using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>One of the two sets that are compared.</summary>
/// <param name="Path">As the user named it.</param>
/// <param name="Side">Its side of the experiment; null where sides are compared by name.</param>
/// <param name="Settings">What sets the side apart.</param>
/// <param name="Kernel">Release of the kernel.</param>
/// <param name="Complete">Whether the experiment was run to its end.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
public sealed record ComparedSetEntry(string Path, string? Side, IReadOnlyList<SettingEntry> Settings, string Kernel, bool Complete, int Runs, int VoidRuns);
