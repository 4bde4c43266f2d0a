using System.Collections.Generic;

namespace TcpDiag.Capture.Sessions;

/// <summary>What became of recordings whose process has gone.</summary>
/// <param name="Results">Full paths of the results that were completed.</param>
/// <param name="Left">How many could not be finished and stay as they are; each was told of.</param>
public sealed record RecoveredCaptures(IReadOnlyList<string> Results, int Left);
