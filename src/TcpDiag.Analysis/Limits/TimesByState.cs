using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Time by state. Of all the states most senders use two or three at a time, and there may be a hundred thousand senders: so few have their room
/// here, and what comes beyond them is taken from a pool.
/// </summary>
struct TimesByState
{
    const int InlineLength = 4;

    /// <summary>Entries beyond those that have their room here, at most.</summary>
    public const int MoreLength = (int)OpenState.StaleSacks + 1 - InlineLength; // the last state

    InlineEntries _inline;
    Pooled<MoreTimes> _more;
    uint _present; // bit n: there is time in state n
    int _count;

    /// <summary>Time in a state, nanoseconds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly long TimeIn(OpenState state) => Has(state) ? At(PositionOf(state)).Nanos : 0;

    /// <summary>The longest time in a state without interruption, empty when there was none.</summary>
    public readonly LimitTimeline.Span LongestIn(OpenState state) => Has(state) ? At(PositionOf(state)).Longest : default;

    /// <summary>Whether there is time in a state.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Has(OpenState state) => (_present >> (int)state & 1) != 0;

    /// <summary>The entry of a state, made when there is none.</summary>
    /// <param name="state">The state.</param>
    /// <param name="extras">Where further room is taken.</param>
    /// <returns>A reference to it, valid until another is made or removed.</returns>
    [UnscopedRef]
    public ref Entry Of(OpenState state, SenderExtras.Reference extras)
    {
        if (!Has(state))
        {
            Add(state, extras);
        }

        return ref Writable(PositionOf(state));
    }

    /// <summary>Removes the entry of a state; there must be one.</summary>
    public Entry Remove(OpenState state)
    {
        int position = PositionOf(state);
        Entry removed = At(position);
        Writable(position) = At(--_count); // in no order
        _present &= ~(1u << (int)state);
        return removed;
    }

    /// <summary>Makes this independent of what it was copied from.</summary>
    public void Detach(SenderExtras.Reference extras)
    {
        if (_more.IsAny)
        {
            MoreTimes copy = _more.Value;
            _more = extras.Value.Times.Take();
            _more.Value = copy;
        }
    }

    /// <summary>Gives further room back.</summary>
    public void Release(SenderExtras.Reference extras)
    {
        if (_more.IsAny)
        {
            extras.Value.Times.Return(ref _more);
        }
    }

    readonly int PositionOf(OpenState state)
    {
        int position = 0;
        while (At(position).State != state)
        {
            position++;
        }

        return position;
    }

    void Add(OpenState state, SenderExtras.Reference extras)
    {
        if (_count == InlineLength && !_more.IsAny)
        {
            _more = extras.Value.Times.Take();
        }

        Writable(_count) = new Entry { State = state };
        _count++;
        _present |= 1u << (int)state;
    }

    [UnscopedRef]
    readonly ref readonly Entry At(int position)
    {
        if (position < InlineLength)
        {
            return ref _inline[position];
        }

        return ref _more.Value[position - InlineLength];
    }

    [UnscopedRef]
    ref Entry Writable(int position) => ref Unsafe.AsRef(in At(position));

    /// <summary>The time of one state: more than none.</summary>
    public struct Entry
    {
        /// <summary>The state.</summary>
        public OpenState State;

        /// <summary>Time in it.</summary>
        public long Nanos;

        /// <summary>The longest time in it without interruption.</summary>
        public LimitTimeline.Span Longest;
    }

    [InlineArray(InlineLength)]
    struct InlineEntries
    {
        Entry _first;
    }
}

/// <summary>The times of further states.</summary>
[InlineArray(TimesByState.MoreLength)]
struct MoreTimes
{
    TimesByState.Entry _first;
}
