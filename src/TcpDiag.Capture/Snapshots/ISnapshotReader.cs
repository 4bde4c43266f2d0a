using System;
using System.Collections.Generic;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Snapshots;

/// <summary>Reads one kind of facts about the machine.</summary>
public interface ISnapshotReader
{
    /// <summary>Name of its section.</summary>
    string Name { get; }

    /// <summary>Where it looks, for people.</summary>
    string Source { get; }

    /// <summary>How long it may take.</summary>
    TimeSpan Budget { get; }

    /// <summary>Reads the facts; may throw, and may not end. Facts given before count.</summary>
    /// <returns>The facts.</returns>
    IEnumerable<SnapshotFact> Read();
}
