using System.Collections.Generic;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// The damage met in a file, in file order and each place once, however often and in whatever order the file is read.
/// Keeps the thousand first by place: a hostile file has no bound. Problems may be added from several threads.
/// </summary>
sealed class EtlProblemLog
{
    const int MaxProblems = 1000;

    static readonly Comparer<TraceProblem> ByOffset = Comparer<TraceProblem>.Create(static (left, right) =>
    {
        int order = left.OffsetBytes.CompareTo(right.OffsetBytes);
        return order != 0 ? order : string.CompareOrdinal(left.Message, right.Message);
    });

    readonly List<TraceProblem> _problems = [];

    /// <summary>The problems by offset; not to be read while another thread adds to them.</summary>
    internal IReadOnlyList<TraceProblem> Problems => _problems;

    /// <summary>Whether a problem at this place would be kept; spares putting its message together.</summary>
    internal bool HasRoomFor(long offset)
    {
        lock (_problems)
        {
            return _problems.Count < MaxProblems || offset <= _problems[^1].OffsetBytes;
        }
    }

    /// <summary>Notes a problem.</summary>
    internal void Add(long offset, string message)
    {
        lock (_problems)
        {
            AddOnce(offset, message);
        }
    }

    void AddOnce(long offset, string message)
    {
        var problem = new TraceProblem(offset, message);
        int index = _problems.BinarySearch(problem, ByOffset);
        if (index < 0 && ~index < MaxProblems)
        {
            _problems.Insert(~index, problem);
            if (_problems.Count > MaxProblems)
            {
                _problems.RemoveAt(MaxProblems);
            }
        }
    }
}
