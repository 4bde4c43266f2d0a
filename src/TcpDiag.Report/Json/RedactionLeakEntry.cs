namespace TcpDiag.Report.Json;

/// <summary>Original values found in a redacted file.</summary>
/// <param name="Kind">What they are.</param>
/// <param name="Place">Where.</param>
/// <param name="Count">How many.</param>
/// <param name="FirstOffset">Where the first one stands in the unpacked bytes; null where it was read.</param>
public sealed record RedactionLeakEntry(string Kind, string Place, long Count, long? FirstOffset);
