using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>A setting of the recorded machine.</summary>
/// <param name="What">The setting and where it is.</param>
/// <param name="Advice">How to change it.</param>
/// <param name="BearsOn">Ids of findings that it may be the cause of.</param>
public sealed record MachineNoteEntry(string What, string Advice, IReadOnlyList<string> BearsOn);
