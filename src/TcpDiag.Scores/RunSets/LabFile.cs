using System.Collections.Generic;

namespace TcpDiag.Scores.RunSets;

/// <summary>What is needed of <c>run.json</c> (docs/schemas/lab.json).</summary>
sealed record LabFile(
    LabFile.MatrixPart Matrix,
    double Scale,
    string Kernel,
    bool IsComplete,
    IReadOnlyList<LabFile.ResultPart?> Results)
{
    /// <summary>The experiment.</summary>
    internal sealed record MatrixPart(
        IReadOnlyList<AxisPart?> Path,
        IReadOnlyList<AxisPart?> Flow,
        IReadOnlyList<SidePart?> Sides);

    /// <summary>A setting and the values it takes in turn.</summary>
    internal sealed record AxisPart(string Name, IReadOnlyList<string?> Values);

    /// <summary>A side.</summary>
    internal sealed record SidePart(string Name, string Stack, IReadOnlyList<Setting?> Path, IReadOnlyList<Setting?> Flow);

    /// <summary>One run.</summary>
    internal sealed record ResultPart(
        string Cell,
        string Side,
        string? Fault,
        double? GoodputBitsPerSecond);
}
