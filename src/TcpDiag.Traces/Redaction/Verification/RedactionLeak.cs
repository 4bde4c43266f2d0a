namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>Original values that a verification has found in a redacted file.</summary>
/// <param name="Kind">What they are.</param>
/// <param name="Place">Where: <c>packets and events</c> as they are read, <c>bytes</c> of the file, or the name of a file in a bundle.</param>
/// <param name="Count">How many.</param>
/// <param name="FirstOffset">Where the first one stands in the unpacked bytes; null where it was read.</param>
public sealed record RedactionLeak(RedactionKind Kind, string Place, long Count, long? FirstOffset);
