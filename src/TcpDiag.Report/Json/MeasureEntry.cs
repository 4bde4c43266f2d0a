namespace TcpDiag.Report.Json;

/// <summary>One measure behind a finding.</summary>
/// <param name="Measure">What was measured.</param>
/// <param name="Value">The value, as it is to be read.</param>
/// <param name="Samples">Samples behind it; null for a single fact.</param>
/// <param name="FirstPacket">Number of the first packet that shows it, from 1.</param>
public sealed record MeasureEntry(string Measure, string Value, long? Samples, long? FirstPacket);
