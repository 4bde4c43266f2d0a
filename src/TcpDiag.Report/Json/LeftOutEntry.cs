using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>A cell that was not compared.</summary>
/// <param name="Set"><c>a</c> or <c>b</c>.</param>
/// <param name="Cell">What the result directory calls it.</param>
/// <param name="Conditions">Its conditions.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
/// <param name="Reason">Why it was left out.</param>
public sealed record LeftOutEntry(string Set, string Cell, IReadOnlyList<SettingEntry> Conditions, int Runs, int VoidRuns, string Reason);
