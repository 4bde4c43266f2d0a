using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>The ways to record on Windows.</summary>
public static class Engines
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<CaptureEngine> All { get; } = [new NetshEngine(), new PktmonEngine(), new EtwEngine()];

    /// <summary>Finds one by its name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The engine; null when there is none of that name.</returns>
    public static CaptureEngine? Find(string? name) => All.FirstOrDefault(engine => string.Equals(engine.Name, name, StringComparison.Ordinal));
}
