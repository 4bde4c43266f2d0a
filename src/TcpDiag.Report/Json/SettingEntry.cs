namespace TcpDiag.Report.Json;

/// <summary>A setting of an experiment.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value as it was written.</param>
public sealed record SettingEntry(string Name, string Value);
