using System;
using System.Numerics;

namespace TcpDiag.Analysis.Patterns;

/// <summary>Marks of the kinds that were seen. Of all there are most directions have one, the FIN: it has its room here, and only more of them are allocated.</summary>
struct MarkSet
{
    uint _kinds; // bit n: there is one of kind n
    Mark _only; // while there is one
    Mark[]? _marks; // in the order of the kinds, from the second one on

    /// <summary>The mark of a kind; null while there is none, and what is null changes nothing.</summary>
    /// <param name="kind">The kind.</param>
    public Mark? this[PatternMark kind]
    {
        readonly get => Has(kind) ? _marks is null ? _only : _marks[PositionOf(kind)] : null;
        set
        {
            if (value is { } mark)
            {
                Set(kind, mark);
            }
        }
    }

    /// <summary>Whether there is a mark of a kind.</summary>
    /// <param name="kind">The kind.</param>
    /// <returns>True when there is.</returns>
    public readonly bool Has(PatternMark kind) => (_kinds >> (int)kind & 1) != 0;

    /// <summary>Sets the mark of a kind unless there is one.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="mark">The mark.</param>
    public void First(PatternMark kind, Mark mark)
    {
        if (!Has(kind))
        {
            Set(kind, mark);
        }
    }

    /// <summary>Marks that stay as they are when these change.</summary>
    /// <returns>The same marks.</returns>
    public readonly MarkSet Copy() => this with { _marks = _marks?.AsSpan().ToArray() };

    void Set(PatternMark kind, Mark mark)
    {
        uint kinds = _kinds | (1u << (int)kind);
        if (BitOperations.IsPow2(kinds))
        {
            _only = mark;
        }
        else
        {
            SetAmongOthers(kind, mark);
        }

        _kinds = kinds;
    }

    void SetAmongOthers(PatternMark kind, Mark mark)
    {
        int position = PositionOf(kind);
        if (!Has(kind))
        {
            Mark[] known = _marks ?? [_only];
            _marks = [.. known.AsSpan(0, position), mark, .. known.AsSpan(position)];
        }

        _marks![position] = mark;
    }

    readonly int PositionOf(PatternMark kind) => BitOperations.PopCount(_kinds & ((1u << (int)kind) - 1));
}
