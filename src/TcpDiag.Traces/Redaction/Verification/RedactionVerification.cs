using System.Collections.Generic;

namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>What a verification has found.</summary>
/// <param name="BytesSearched">Bytes that were searched, unpacked ones included.</param>
/// <param name="ValuesSearched">Distinct values that every byte was searched for.</param>
/// <param name="ValuesOnlyRead">Distinct values that were looked for only where names and addresses are read: too short or too common to be told from chance among all bytes.</param>
/// <param name="IsComplete">Whether all values were remembered; false with a hostile number of names.</param>
/// <param name="Leaks">What was found.</param>
public sealed record RedactionVerification(long BytesSearched, long ValuesSearched, long ValuesOnlyRead, bool IsComplete, IReadOnlyList<RedactionLeak> Leaks)
{
    /// <summary>Whether nothing was found and nothing left out.</summary>
    public bool HasPassed => IsComplete && Leaks.Count == 0;
}
