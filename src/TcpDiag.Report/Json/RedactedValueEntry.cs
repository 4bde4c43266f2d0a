namespace TcpDiag.Report.Json;

/// <summary>A name or an address that was recognised.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Value">The value; words in lower case.</param>
/// <param name="Place">Where it was met first: packets and events, or a file of a bundle.</param>
public sealed record RedactedValueEntry(string Kind, string Value, string Place);
