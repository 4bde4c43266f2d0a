using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings;

/// <summary>One direction of a connection under judgement.</summary>
/// <param name="Connection">The connection.</param>
/// <param name="IsFromClient">Whether the client is the sender.</param>
readonly record struct DirectionSubject(Connection Connection, bool IsFromClient)
{
    static readonly DirectionPatterns Nothing = new();

    /// <summary>The account of the direction.</summary>
    public ConnectionDirection Direction => IsFromClient ? Connection.FromClient : Connection.FromServer;

    /// <summary>What stood out in it.</summary>
    public DirectionPatterns Patterns => Direction.Patterns ?? Nothing;

    /// <summary>The same of the other direction.</summary>
    public DirectionPatterns PeerPatterns => (IsFromClient ? Connection.FromServer : Connection.FromClient).Patterns ?? Nothing;

    /// <summary>Who sends the data: client or server.</summary>
    public string Sender => IsFromClient ? "client" : "server";

    /// <summary>Who receives it.</summary>
    public string Receiver => IsFromClient ? "server" : "client";

    /// <summary>The direction in a word.</summary>
    public string Transfer => IsFromClient ? "upload" : "download";

    /// <summary>Active time, nanoseconds; 0 without any.</summary>
    public long ActiveTime => Direction.ActiveTime ?? 0;

    /// <summary>Intervals the limits rest on.</summary>
    public long LimitSamples => Direction.Limits?.Samples ?? 0;

    /// <summary>Wire segments resent that were needed.</summary>
    public long Necessary => Direction.Needs?.Necessary ?? 0;

    /// <summary>Wire segments resent that were not needed, proven or likely.</summary>
    public long Needless => Direction.Needs is { } needs ? needs.Spurious + needs.LikelySpurious : 0;

    /// <summary>Active time that was judged, idle pauses left out, nanoseconds.</summary>
    public long BusyTime => ActiveTime - TimeIn(LimitState.Idle) - TimeIn(LimitState.NotJudged);

    /// <summary>Time in a state, nanoseconds; 0 when limits are not known.</summary>
    /// <param name="state">The state.</param>
    /// <returns>The time.</returns>
    public long TimeIn(LimitState state) => Direction.Limits?.Times.In(state) ?? 0;

    /// <summary>The longest time without interruption in one of some states.</summary>
    /// <param name="states">The states.</param>
    /// <returns>Where that is; null when packets do not tell, or there was little of it.</returns>
    public Place? PlaceOf(params ReadOnlySpan<LimitState> states)
    {
        LimitSpan? longest = null;
        IReadOnlyList<LimitSpan> spans = Direction.Limits?.Spans ?? [];
        for (int i = 0; i < spans.Count; i++) // without an enumerator for each of very many findings
        {
            LimitSpan span = spans[i];
            bool isLonger = longest is not { } known || span.To - span.From > known.To - known.From;
            longest = states.Contains(span.State) && isLonger ? span : longest;
        }

        return longest;
    }

    /// <summary>Part of the time that was judged, idle pauses left out, in a state.</summary>
    /// <param name="state">The state.</param>
    /// <returns>0 … 1.</returns>
    public double Share(LimitState state)
    {
        long busy = BusyTime;
        return busy > 0 ? Math.Min((double)TimeIn(state) / busy, 1) : 0;
    }

    /// <summary>
    /// The round trip over the whole path: samples of whichever direction's data travels it, else the handshake's. At the receiver the samples of
    /// the data itself are only the receiver's own delay.
    /// </summary>
    public RttSummary Rtt
    {
        get
        {
            RttSummary up = Connection.FromClient.Rtt;
            RttSummary down = Connection.FromServer.Rtt;
            RttSummary farther = down.Samples == 0 || (up.Samples > 0 && up.Min >= down.Min) ? up : down;
            return Connection.HandshakeRtt is { } handshake && (farther.Samples == 0 || farther.Min < handshake / 2)
                ? new RttSummary(handshake, handshake, handshake, 1)
                : farther;
        }
    }

    /// <summary>
    /// The highest rate this direction has shown it can reach: most bytes in flight over the median RTT, bits per second. Null when either is not known.
    /// </summary>
    public double? PeakRate => Direction.MaxInFlightBytes is { } flight && Rtt is { Samples: > 0, Median: > 0 } rtt ? flight * 8e9 / rtt.Median : null;

    /// <summary>Ends a draft about this direction.</summary>
    /// <param name="draft">The draft.</param>
    /// <returns>The finding.</returns>
    public Finding Found(FindingDraft draft) => draft.On(Connection, IsFromClient);

    /// <summary>A time and its part of the active time, e.g. <c>4.20 s of 5.00 s</c>.</summary>
    /// <param name="nanoseconds">The time.</param>
    /// <returns>The text.</returns>
    public string OfActive(long nanoseconds) => InvariantText.Of($"{Quantity.Duration(nanoseconds)} of {Quantity.Duration(ActiveTime)}");
}
