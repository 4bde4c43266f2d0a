using System.Collections.Generic;

namespace TcpDiag.Lab.Matrix;

/// <summary>One combination of a matrix's axes.</summary>
/// <param name="Index">Its position, from 1; the last axis runs fastest.</param>
/// <param name="Name">A name that is a file name too: the position and the axes' values, e.g. <c>001-rtt-25ms</c>.</param>
/// <param name="Path">What is emulated.</param>
/// <param name="Flow">What is sent.</param>
public sealed record LabCell(int Index, string Name, IReadOnlyList<LabOption> Path, IReadOnlyList<LabOption> Flow);
