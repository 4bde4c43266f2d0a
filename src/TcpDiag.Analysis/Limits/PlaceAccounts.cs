using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// The accounts of those places where time is booked. Of the twenty there are most senders use two or three at a time, and there may be a hundred thousand senders:
/// so few have their room here, and only what comes beyond them is allocated.
/// </summary>
struct PlaceAccounts
{
    const int Near = 4;

    NearAccounts _near;
    PlaceAccount[]? _far;
    uint _open; // bit n: there is one of place n
    int _count;

    /// <summary>Time booked at a place.</summary>
    /// <param name="place">The place.</param>
    /// <returns>Nanoseconds; 0 when there is no account.</returns>
    public readonly long TimeAt(LimitPlace place) => Has(place) ? At(PositionOf(place)).Time : 0;

    /// <summary>The longest time booked at a place without interruption.</summary>
    /// <param name="place">The place.</param>
    /// <returns>It, empty when there is no account.</returns>
    public readonly PlaceAccount.Run LongestAt(LimitPlace place) => Has(place) ? At(PositionOf(place)).Longest : default;

    /// <summary>Whether there is an account of a place.</summary>
    /// <param name="place">The place.</param>
    /// <returns>True when time is booked there.</returns>
    public readonly bool Has(LimitPlace place) => (_open >> (int)place & 1) != 0;

    /// <summary>The account of a place, opened when there is none: time has to be booked there.</summary>
    /// <param name="place">The place.</param>
    /// <returns>A reference to it, valid until another is opened or closed.</returns>
    [UnscopedRef]
    public ref PlaceAccount Of(LimitPlace place)
    {
        if (!Has(place))
        {
            Open(place);
        }

        return ref Writable(PositionOf(place));
    }

    /// <summary>Closes an account.</summary>
    /// <param name="place">Its place; there is one.</param>
    /// <returns>What was booked there.</returns>
    public PlaceAccount Close(LimitPlace place)
    {
        int position = PositionOf(place);
        PlaceAccount closed = At(position);
        Writable(position) = At(--_count); // in no order
        _open &= ~(1u << (int)place);
        return closed;
    }

    /// <summary>Makes these accounts independent of those they were copied from.</summary>
    public void Detach() => _far = _far?.AsSpan().ToArray();

    readonly int PositionOf(LimitPlace place)
    {
        int position = 0;
        while (At(position).Place != place)
        {
            position++;
        }

        return position;
    }

    void Open(LimitPlace place)
    {
        if (_count >= Near && _count - Near >= (_far?.Length ?? 0))
        {
            Array.Resize(ref _far, Math.Max(2 * (_count - Near), Near));
        }

        Writable(_count) = new PlaceAccount { Place = place };
        _count++;
        _open |= 1u << (int)place;
    }

    [UnscopedRef]
    readonly ref readonly PlaceAccount At(int position)
    {
        if (position < Near)
        {
            return ref _near[position];
        }

        return ref _far![position - Near];
    }

    [UnscopedRef]
    ref PlaceAccount Writable(int position) => ref Unsafe.AsRef(in At(position));

    [InlineArray(Near)]
    struct NearAccounts
    {
        PlaceAccount _first;
    }
}
