using System.Collections.Generic;

namespace TcpDiag.Lab.Matrix;

/// <summary>One of the things compared: a setting of the stack, and what it changes of the path and of the flow.</summary>
/// <param name="Name">A short name, also of its folder.</param>
/// <param name="Stack">A setting of both ends' stacks, one of <see cref="StackSettings.Names"/>.</param>
/// <param name="Path">What replaces the cell's settings of the path.</param>
/// <param name="Flow">What replaces the cell's settings of the flow.</param>
public sealed record LabSide(string Name, string Stack, IReadOnlyList<LabOption> Path, IReadOnlyList<LabOption> Flow);
