using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// The damage met in a file, in file order and each place once, however often and in whatever order the file is read.
/// Keeps the first thousand: a hostile file has no bound.
/// </summary>
sealed class EtlProblemLog
{
    const int Most = 1000;

    readonly List<TraceProblem> _problems = [];

    /// <summary>The problems by offset.</summary>
    internal IReadOnlyList<TraceProblem> Problems => _problems;

    /// <summary>Notes a problem.</summary>
    /// <param name="offset">Where in the file.</param>
    /// <param name="message">What was expected, what was found.</param>
    internal void Add(long offset, string message)
    {
        int index = _problems.Count;
        while (index > 0 && _problems[index - 1].OffsetBytes >= offset)
        {
            index--;
            if (_problems[index].OffsetBytes == offset && string.Equals(_problems[index].Message, message, StringComparison.Ordinal))
            {
                return;
            }
        }

        if (_problems.Count < Most)
        {
            _problems.Insert(index, new TraceProblem(offset, message));
        }
    }
}
