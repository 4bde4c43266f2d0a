namespace TcpDiag.Report.Json;

/// <summary>What was replaced or removed of one kind.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Count">How often it was met, or how many bytes.</param>
/// <param name="Distinct">Distinct values; null where they are not kept.</param>
/// <param name="Action">replaced or removed.</param>
public sealed record RedactedKindEntry(string Kind, long Count, long? Distinct, string Action);
