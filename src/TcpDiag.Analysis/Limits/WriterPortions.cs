using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// A program that writes portions larger than its send buffer, and sleeps after each. What the buffer takes fills it, the rest of a portion does not: so behind
/// each smaller fill, as many bytes have been sent since the smaller fill before, to the byte. The wait behind it is the program's own, though it may be hardly
/// longer than the round trips for which the buffer held it. Of a program that is always blocked, only what the buffer takes shows: where the smaller fills are
/// as far apart by chance, that is no round number, nor are the waits behind them longer than others. The default value has seen nothing.
/// </summary>
struct WriterPortions
{
    SequenceNumber _previous; // where the latest fill ended
    SequenceNumber _last; // where the latest portion ended
    int _size; // bytes; 0 before any
    int _largest; // fill since, bytes
    uint _shortestPause; // behind a portion, nanoseconds
    uint _longestOther; // behind another fill, nanoseconds
    byte _count; // of portions that were as large as the one before
    bool _hasBegun;
    bool _hasRoundPart; // a fill within a portion ended at a round number too

    /// <summary>Whether the latest fill ended what may be a portion.</summary>
    public bool IsAtEnd { get; private set; }

    /// <summary>Whether the program is known to write portions.</summary>
    public readonly bool IsKnown => _count >= Thresholds.MinPortions && (HasPauses || (!_hasRoundPart && _size % Thresholds.RoundPortionBytes == 0));

    // Behind portions it waits longer than ever elsewhere.
    readonly bool HasPauses => _shortestPause > _longestOther + (_longestOther / Thresholds.PausePart);

    /// <summary>What time after a fill with which all that was written had been sent is.</summary>
    /// <param name="state">But for portions.</param>
    public readonly OpenState StateOf(OpenState state) => !IsAtEnd || state == OpenState.Application ? state
        : IsKnown ? OpenState.Application
        : state == OpenState.LateWriter && _count == 0 ? state : OpenState.AfterPortion;

    /// <summary>Takes in a fill of the send buffer, or what was left to fill it.</summary>
    /// <param name="end">SND.MAX behind it.</param>
    /// <param name="waitNanos">From its first segment to that of the next.</param>
    /// <param name="timeline">Where the time is open.</param>
    public void OnFill(SequenceNumber end, long waitNanos, ref LimitTimeline timeline)
    {
        if (!_hasBegun)
        {
            (_previous, _last, _hasBegun) = (end, end, true);
            return;
        }

        int fill = end - _previous;
        int size = end - _last;
        uint wait = (uint)Math.Min(waitNanos, uint.MaxValue);
        _previous = end;
        IsAtEnd = fill < _largest && MayEndPortion(size);
        if (IsAtEnd)
        {
            OnPortion(size, wait, ref timeline);
            (_last, _largest) = (end, 0);
        }
        else
        {
            _largest = Math.Max(_largest, fill);
            _longestOther = Math.Max(_longestOther, wait);
            _hasRoundPart |= size % Thresholds.RoundPortionBytes == 0 && (_size == 0 || size % _size != 0);
        }
    }

    /// <summary>Decides about all time that is open.</summary>
    /// <param name="timeline">Where it is.</param>
    public readonly void Settle(ref LimitTimeline timeline) =>
        timeline.Decide(OpenState.AfterPortion, IsKnown ? OpenState.Application : OpenState.WriterOrChance);

    // As many bytes as before, or a multiple where an end was missed; any number as long as none has come twice.
    readonly bool MayEndPortion(int size) => _count == 0 || size % _size == 0 || size > Thresholds.MaxMissedPortions * _size;

    void OnPortion(int size, uint wait, ref LimitTimeline timeline)
    {
        if (_size > 0 && size % _size == 0)
        {
            OnSame(wait, ref timeline);
            return;
        }

        bool isPart = _size > 0 && _size % size == 0; // the end of one before was missed
        if (!isPart)
        {
            Settle(ref timeline);
        }

        (_size, _count, _shortestPause, _longestOther, _hasRoundPart) = (size, 0, wait, isPart ? _longestOther : 0, isPart && _hasRoundPart);
    }

    void OnSame(uint wait, ref LimitTimeline timeline)
    {
        _count = (byte)Math.Min(_count + 1, byte.MaxValue);
        _shortestPause = Math.Min(_shortestPause, wait);
        if (!IsKnown)
        {
            return;
        }

        timeline.Decide(OpenState.AfterPortion, OpenState.Application);
        if (HasPauses)
        {
            timeline.Decide(OpenState.LateWriter, OpenState.Application);
        }
    }
}
