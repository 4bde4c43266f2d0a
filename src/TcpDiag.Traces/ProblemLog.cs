using System.Collections.Generic;

namespace TcpDiag.Traces;

/// <summary>The damage a reader met, bounded: a hostile file may hold a problem every few bytes.</summary>
sealed class ProblemLog
{
    /// <summary>What is wrong with records of <see cref="TcpDiag.Wire.TraceTime.IsBeyond"/>; their number goes in front.</summary>
    public const string TimesBeyond = "records of a time before 1678 or after 2261; they stand at the end of what can be told";

    const int Limit = 100;

    readonly List<TraceProblem> _problems = [];

    /// <summary>What was kept, in file order.</summary>
    public IReadOnlyList<TraceProblem> Problems => _problems;

    /// <summary>Whether a further problem would be kept; ask before composing its message.</summary>
    public bool IsOpen => _problems.Count <= Limit;

    /// <summary>Adds a problem, or once that there are more.</summary>
    /// <param name="offset">Where in the (decompressed) file.</param>
    /// <param name="message">One line: what was expected, what was found.</param>
    public void Add(long offset, string message)
    {
        if (_problems.Count < Limit)
        {
            _problems.Add(new TraceProblem(offset, message));
        }
        else if (_problems.Count == Limit)
        {
            _problems.Add(new TraceProblem(offset, "more problems from here on, not listed"));
        }
    }
}
