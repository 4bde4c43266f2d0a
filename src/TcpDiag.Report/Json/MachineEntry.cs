using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>The machine that recorded a bundle, from its snapshot.</summary>
/// <param name="OperatingSystem">System and version.</param>
/// <param name="Notes">Settings that are unusual and matter.</param>
public sealed record MachineEntry(string OperatingSystem, IReadOnlyList<MachineNoteEntry> Notes);
