using System.Collections.Generic;

namespace TcpDiag.Lab.Programs;

/// <summary>How this program is started again, for parts that are processes of their own.</summary>
/// <param name="File">The executable.</param>
/// <param name="Prefix">Arguments in front of the verb, e.g. the assembly.</param>
public sealed record LabProgram(string File, IReadOnlyList<string> Prefix);
