namespace TcpDiag.Traces.Redaction;

/// <summary>A piece of a text.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Start">Where it begins.</param>
/// <param name="Length">Characters.</param>
readonly record struct TextToken(TextTokenKind Kind, int Start, int Length);
