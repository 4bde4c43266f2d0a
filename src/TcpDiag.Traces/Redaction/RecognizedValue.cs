namespace TcpDiag.Traces.Redaction;

/// <summary>An original value that a redaction has recognised.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Value">The value; words in lower case.</param>
/// <param name="Place">Where it was met first: packets and events, or the name of a file in a bundle.</param>
public sealed record RecognizedValue(RedactionKind Kind, string Value, string Place);
