using System;
using System.Collections.Generic;

namespace TcpDiag.Truth;

/// <summary>A set of bytes as ranges that neither touch nor overlap; slow and obvious.</summary>
sealed class SequenceSet
{
    readonly List<(long Start, long End)> _ranges = [];

    /// <summary>Where the first range ends; 0 when there is none.</summary>
    public long EndOfFirst => _ranges.Count == 0 ? 0 : _ranges[0].End;

    /// <summary>Adds a range.</summary>
    public void Add(long start, long end)
    {
        int first = _ranges.FindIndex(range => range.End >= start);
        first = first < 0 ? _ranges.Count : first;
        int behind = first;
        for (; behind < _ranges.Count && _ranges[behind].Start <= end; behind++)
        {
            start = Math.Min(start, _ranges[behind].Start);
            end = Math.Max(end, _ranges[behind].End);
        }

        _ranges.RemoveRange(first, behind - first);
        _ranges.Insert(first, (start, end));
    }

    /// <summary>Whether all of a range is in the set.</summary>
    public bool Holds(long start, long end) => _ranges.Exists(range => range.Start <= start && range.End >= end);
}
