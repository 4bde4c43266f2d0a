using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>A file that was redacted.</summary>
/// <param name="Input">As the user named it.</param>
/// <param name="Output">The result; null with --dry-run.</param>
/// <param name="Problems">What could not be read, and therefore is not in the result.</param>
/// <param name="Verification">What --verify has found; null without it.</param>
public sealed record RedactedFileEntry(string Input, string? Output, IReadOnlyList<InfoDocument.Problem> Problems, RedactionVerificationEntry? Verification);
