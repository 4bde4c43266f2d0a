using System;

namespace TcpDiag.Traces.Redaction;

/// <summary>Counts what a redaction has replaced and removed.</summary>
public sealed class RedactionTally
{
    readonly long[] _counts = new long[Enum.GetValues<RedactionKind>().Length];

    /// <summary>How often it was met; bytes where the kind counts bytes.</summary>
    /// <param name="kind">What.</param>
    /// <returns>The number.</returns>
    public long this[RedactionKind kind] => _counts[(int)kind];

    /// <summary>Counts.</summary>
    /// <param name="kind">What was met.</param>
    /// <param name="count">How often, or how many bytes.</param>
    internal void Add(RedactionKind kind, long count = 1) => _counts[(int)kind] += count;

    /// <summary>Counts from nothing again.</summary>
    internal void Clear() => Array.Clear(_counts);
}
