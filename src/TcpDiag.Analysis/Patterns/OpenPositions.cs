using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Positions by kind while their connection is open. Most directions have one, that of the FIN, and those with losses some more: the first few are here, in
/// the order of their kinds, and where there are more all of them move to a pool.
/// </summary>
struct OpenPositions
{
    const int InlineLength = 4;

    uint _kinds; // bit n: there is a position of kind n
    Few _few; // in the order of the kinds; not used any more once there are many
    Pooled<Many> _many; // by kind

    /// <summary>The position of a kind; null while there is none.</summary>
    public readonly TracePosition? this[PositionKind kind] => Has(kind) ? At(kind) : null;

    /// <summary>The position of each kind, those that there are in the order of their kinds.</summary>
    public readonly PositionSet Summarise()
    {
        var set = default(PositionSet);
        for (uint kinds = _kinds; kinds != 0; kinds &= kinds - 1)
        {
            var kind = (PositionKind)BitOperations.TrailingZeroCount(kinds);
            set.Append(kind, At(kind), BitOperations.PopCount(_kinds));
        }

        return set;
    }

    /// <summary>Whether there is a position of a kind.</summary>
    public readonly bool Has(PositionKind kind) => (_kinds >> (int)kind & 1) != 0;

    /// <summary>Sets the position of a kind unless there is one.</summary>
    public void First(PositionKind kind, TracePosition position, StructPool<Many> pool)
    {
        if (!Has(kind))
        {
            Set(kind, position, pool);
        }
    }

    /// <summary>Sets the position of a kind.</summary>
    public void Set(PositionKind kind, TracePosition position, StructPool<Many> pool)
    {
        if (!Has(kind))
        {
            MakeRoom(kind, pool);
        }

        Writable(kind) = position;
    }

    /// <summary>Gives back what was taken.</summary>
    public void Release(StructPool<Many> pool) => pool.Return(ref _many);

    void MakeRoom(PositionKind kind, StructPool<Many> pool)
    {
        int count = BitOperations.PopCount(_kinds);
        if (count < InlineLength)
        {
            for (int i = count; i > IndexOf(kind); i--)
            {
                _few[i] = _few[i - 1];
            }
        }
        else if (!_many.IsAny)
        {
            MoveTo(pool.Take());
        }

        _kinds |= 1u << (int)kind;
    }

    void MoveTo(Pooled<Many> many)
    {
        for (uint kinds = _kinds; kinds != 0; kinds &= kinds - 1)
        {
            int kind = BitOperations.TrailingZeroCount(kinds);
            many.Value[kind] = _few[IndexOf((PositionKind)kind)];
        }

        _many = many;
    }

    readonly TracePosition At(PositionKind kind) => _many.IsAny ? _many.Value[(int)kind] : _few[IndexOf(kind)];

    [UnscopedRef]
    ref TracePosition Writable(PositionKind kind)
    {
        if (_many.IsAny)
        {
            return ref _many.Value[(int)kind];
        }

        return ref _few[IndexOf(kind)];
    }

    readonly int IndexOf(PositionKind kind) => BitOperations.PopCount(_kinds & ((1u << (int)kind) - 1));

    /// <summary>A position of every kind.</summary>
    [InlineArray((int)PositionKind.LastCopy + 1)]
    public struct Many
    {
        TracePosition _first;
    }

    [InlineArray(InlineLength)]
    struct Few
    {
        TracePosition _first;
    }
}
