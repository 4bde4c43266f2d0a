using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>One record type of a name asked for: the query with its repetitions, and when an answer came.</summary>
sealed class NameQuestion
{
    /// <summary>The record type.</summary>
    public required DnsRecordType Type { get; init; }

    /// <summary>Latest query.</summary>
    public required TraceTime Last { get; set; }

    /// <summary>Between the latest query and the one before, nanoseconds; 0 after one query.</summary>
    public long Pause { get; set; }

    /// <summary>When the answer came, an error included; null while none has.</summary>
    public TraceTime? Answered { get; set; }

    /// <summary>Whether no answer had come by an instant.</summary>
    /// <param name="now">The instant.</param>
    /// <returns>False once it was answered.</returns>
    public bool IsOpen(TraceTime now) => Answered is not { } answered || answered > now;
}
