using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>One call of a program to its machine's resolver, as events tell it.</summary>
sealed class ResolverCall
{
    /// <summary>The name, as the program gave it.</summary>
    public required string Name { get; init; }

    /// <summary>When it was called.</summary>
    public required TraceTime Started { get; init; }

    /// <summary>Number of that event's record, from 1.</summary>
    public required long Record { get; init; }

    /// <summary>When it returned; null while it has not.</summary>
    public TraceTime? Completed { get; set; }

    /// <summary>Whether it found the name.</summary>
    public bool IsFound { get; set; }
}
