using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>What a verification has found.</summary>
/// <param name="Passed">Whether nothing was found and nothing had to be left out.</param>
/// <param name="BytesSearched">Bytes searched, unpacked ones included.</param>
/// <param name="ValuesSearched">Distinct values that every byte was searched for.</param>
/// <param name="ValuesOnlyRead">Distinct values that were looked for only where names and addresses are read.</param>
/// <param name="Leaks">What was found; never the values.</param>
public sealed record RedactionVerificationEntry(bool Passed, long BytesSearched, long ValuesSearched, long ValuesOnlyRead, IReadOnlyList<RedactionLeakEntry> Leaks);
