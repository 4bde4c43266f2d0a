using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Congestion;

/// <summary>A recovery, or an answer to a mark of congestion, and what it left of the window.</summary>
sealed class Reduction
{
    /// <summary>The packet with which it began: the first that was sent again, or the acknowledgment with the mark's echo.</summary>
    public required long Packet { get; init; }

    /// <summary>When.</summary>
    public required TraceTime Time { get; init; }

    /// <summary>In flight before it, bytes.</summary>
    public required long BeforeBytes { get; init; }

    /// <summary>What began it; <see cref="RepairKind.None"/> for a mark.</summary>
    public required RepairKind Kind { get; init; }

    /// <summary>SND.NXT when it began: with its acknowledgment it is over.</summary>
    public SequenceNumber Point { get; set; }

    /// <summary>Segments sent again in it that were needed.</summary>
    public int Necessary { get; set; }

    /// <summary>Segments sent again in it that had arrived.</summary>
    public int Needless { get; set; }

    /// <summary>The first whole round trip after it, before the next reduction; null where none was.</summary>
    public WindowRound? After { get; set; }

    /// <summary>Its number among the rounds; valid while there is one.</summary>
    public int AfterIndex { get; private set; }

    /// <summary>Whether the window held the sender in the last whole round trip before it.</summary>
    public bool WasHeld { get; private set; }

    /// <summary>Most in flight in the round after it, bytes; 0 where none was, or the window did not hold the sender in it.</summary>
    public long AfterBytes => After is { IsHeld: true } round ? round.PeakBytes : 0;

    /// <summary>What it left, 0 …; 0 while unknown.</summary>
    public double Left => BeforeBytes > 0 ? (double)AfterBytes / BeforeBytes : 0;

    /// <summary>Whether something was lost or marked.</summary>
    public bool IsReal => Kind == RepairKind.None || Necessary > 0;

    /// <summary>Whether nothing was: all that was sent again had arrived.</summary>
    public bool IsNeedless => !IsReal && Needless > 0;

    /// <summary>Looks up the round trips before and after each reduction.</summary>
    /// <param name="all">The reductions, in time: behind each begins a stage.</param>
    /// <param name="rounds">The rounds of the sender.</param>
    public static void Complete(IReadOnlyList<Reduction> all, IReadOnlyList<WindowRound> rounds)
    {
        int next = 0;
        for (int i = 0; i < all.Count; i++)
        {
            for (; next < rounds.Count && (rounds[next].Stage <= i || !rounds[next].IsClean); next++)
            {
                all[i].WasHeld = rounds[next] is { IsClean: true } before && before.Stage == i ? before.IsHeld : all[i].WasHeld;
            }

            if (next < rounds.Count && rounds[next].Stage == i + 1)
            {
                (all[i].After, all[i].AfterIndex) = (rounds[next], next);
            }
        }
    }
}

/// <summary>Finds the reductions of a sender.</summary>
sealed class Reductions
{
    const int MaxCount = 1 << 14;

    readonly List<Reduction> _all = [];
    Reduction? _current;
    SequenceNumber _ecnRoundEnd;
    bool _hasEcnRound;
    long _flightBefore;

    /// <summary>The reductions so far, in time.</summary>
    public IReadOnlyList<Reduction> All => _all;

    /// <summary>The recovery that goes on; null when none does.</summary>
    public Reduction? Current => _current;

    /// <summary>Takes in what was sent.</summary>
    /// <returns>Whether a reduction began with it.</returns>
    public bool OnSent(in DataSent sent)
    {
        bool begins = sent.Repair is RepairKind.Fast or RepairKind.Timeout
            && (_current is null || (sent.Repair == RepairKind.Timeout && _current.Kind == RepairKind.Fast))
            && _all.Count < MaxCount;
        if (begins)
        {
            _current = new()
            {
                Packet = sent.Packet,
                Time = sent.Time,
                BeforeBytes = Math.Max(_flightBefore, sent.FlightBytes),
                Kind = sent.Repair,
                Point = sent.Next
            };
            _all.Add(_current);
        }

        return begins;
    }

    /// <summary>Takes in an acknowledgment.</summary>
    /// <returns>Whether a reduction began with it.</returns>
    public bool OnAcked(in DataAcked ack)
    {
        _flightBefore = ack.FlightBytes;
        if (_current is { } current && ack.Una >= current.Point)
        {
            _current = null;
        }

        bool isMark = ack.HasEcnEcho && _current is null && !(_hasEcnRound && ack.Una < _ecnRoundEnd) && _all.Count < MaxCount;
        if (isMark)
        {
            (_hasEcnRound, _ecnRoundEnd) = (true, ack.Next);
            _all.Add(new() { Packet = ack.Packet, Time = ack.Time, BeforeBytes = ack.FlightBytes, Kind = RepairKind.None, Point = ack.Next });
        }

        return isMark;
    }

    /// <summary>Takes in whether one segment that was sent again was needed.</summary>
    /// <param name="packet">Its packet.</param>
    /// <param name="need">The verdict.</param>
    public void OnVerdict(long packet, RetransmissionNeed need)
    {
        int index = _all.Count - 1;
        while (index >= 0 && _all[index].Packet > packet)
        {
            index--;
        }

        if (index >= 0)
        {
            _all[index].Necessary += need == RetransmissionNeed.Necessary ? 1 : 0;
            _all[index].Needless += need is RetransmissionNeed.Spurious or RetransmissionNeed.LikelySpurious ? 1 : 0;
        }
    }
}
