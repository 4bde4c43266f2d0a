using System.Collections.Generic;

namespace TcpDiag.Lab.Matrix;

/// <summary>One of the things compared: what it changes of the path and of the flow.</summary>
/// <param name="Name">A short name, also of its folder.</param>
/// <param name="Path">What replaces the cell's settings of the path.</param>
/// <param name="Flow">What replaces the cell's settings of the flow.</param>
public sealed record LabSide(string Name, IReadOnlyList<LabOption> Path, IReadOnlyList<LabOption> Flow);
