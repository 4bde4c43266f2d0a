using System.Collections.Generic;

namespace TcpDiag.Analysis.Machines;

/// <summary>A setting of the recorded machine that is unusual and decides how its connections fare.</summary>
/// <param name="What">The setting and where it is, a clause.</param>
/// <param name="Advice">How to change it.</param>
/// <param name="BearsOn">Findings that it may be the cause of (<see cref="Findings.FindingIds"/>).</param>
public sealed record MachineNote(string What, string Advice, IReadOnlyList<string> BearsOn);
