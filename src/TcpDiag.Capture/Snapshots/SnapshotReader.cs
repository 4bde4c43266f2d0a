using System;
using System.Collections.Generic;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Snapshots;

/// <summary>A reader made of a function.</summary>
/// <param name="Name">Name of its section.</param>
/// <param name="Source">Where it looks, for people.</param>
/// <param name="Budget">How long it may take.</param>
/// <param name="Facts">Reads the facts.</param>
sealed record SnapshotReader(string Name, string Source, TimeSpan Budget, Func<IEnumerable<SnapshotFact>> Facts) : ISnapshotReader
{
    /// <inheritdoc/>
    public IEnumerable<SnapshotFact> Read() => Facts();
}
