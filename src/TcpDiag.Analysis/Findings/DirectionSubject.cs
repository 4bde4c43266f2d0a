using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings;

/// <summary>One direction of a connection as the rules see it.</summary>
/// <param name="Connection">The connection.</param>
/// <param name="IsFromClient">Whether the client is the sender.</param>
readonly partial record struct DirectionSubject(Connection Connection, bool IsFromClient)
{
    static readonly DirectionPatterns Nothing = new();

    /// <summary>What connections between the same hosts reach; null when that is not known.</summary>
    public HostRates? HostRates { get; init; }

    /// <summary>Connections between the same hosts at the same time; null when they are not known.</summary>
    public Companions? Companions { get; init; }

    /// <summary>
    /// The highest rate that another connection between the same hosts held for two round trips, bits per second; null when that is not known.
    /// </summary>
    public double? HostsRate => HostRates?.Of(Connection, IsFromClient);

    public ConnectionDirection Direction => IsFromClient ? Connection.FromClient : Connection.FromServer;

    public DirectionPatterns Patterns => Direction.Patterns ?? Nothing;

    public DirectionPatterns PeerPatterns => (IsFromClient ? Connection.FromServer : Connection.FromClient).Patterns ?? Nothing;

    public string Sender => IsFromClient ? "client" : "server";

    public string Receiver => IsFromClient ? "server" : "client";

    public string Transfer => IsFromClient ? "upload" : "download";

    /// <summary>Active time, nanoseconds; 0 without any.</summary>
    public long ActiveTime => Direction.ActiveTime ?? 0;

    /// <summary>Intervals the limits are based on.</summary>
    public long LimitSamples => Direction.Limits?.Samples ?? 0;

    /// <summary>Retransmitted wire segments that were needed.</summary>
    public long Necessary => Direction.Needs?.Necessary ?? 0;

    /// <summary>Retransmitted wire segments that were not needed, proven or likely.</summary>
    public long Needless => Direction.Needs is { } needs ? needs.Spurious + needs.LikelySpurious : 0;

    /// <summary>Active time without idle pauses and intervals that could not be judged, nanoseconds.</summary>
    public long BusyTime => ActiveTime - TimeIn(LimitState.Idle) - TimeIn(LimitState.NotJudged);

    /// <summary>Time in a state, nanoseconds; 0 when limits are not known.</summary>
    public long TimeIn(LimitState state) => Direction.Limits?.TimeIn(state) ?? 0;

    /// <summary>The longest uninterrupted time in one of some states; null when packets do not show it, or there was too little of it.</summary>
    public EvidenceSpan? LongestSpan(params ReadOnlySpan<LimitState> states)
    {
        LimitSpan? longest = null;
        IReadOnlyList<LimitSpan> spans = Direction.Limits?.Spans ?? [];
        for (int i = 0; i < spans.Count; i++) // no enumerator: there can be very many findings
        {
            LimitSpan span = spans[i];
            bool isLonger = longest is not { } known || span.To - span.From > known.To - known.From;
            longest = states.Contains(span.State) && isLonger ? span : longest;
        }

        return longest;
    }

    /// <summary>Share of <see cref="BusyTime"/> spent in a state, 0 … 1.</summary>
    public double Share(LimitState state)
    {
        long busy = BusyTime;
        return busy > 0 ? Math.Min((double)TimeIn(state) / busy, 1) : 0;
    }

    /// <summary>The round trip over the whole path.</summary>
    public RttSummary Rtt => RoundTrip.Of(Connection);

    /// <summary>
    /// The highest rate this direction has shown it can reach: most bytes in flight over the median RTT, bits per second. Null when either is unknown.
    /// </summary>
    public double? PeakRate => Direction.MaxInFlightBytes is { } flight && Rtt is { Samples: > 0, Median: > 0 } rtt ? flight * 8e9 / rtt.Median : null;

    /// <summary>Time in which there was data to send, nanoseconds. Of the time that was not judged it is taken to be as much as of the rest.</summary>
    public long SendingTime => (long)((ActiveTime - TimeIn(LimitState.Idle)) * (1 - Share(LimitState.Application)));

    /// <summary>Rate while there was data to send, bits per second; 0 when that is not known.</summary>
    public double SendingRate => SendingTime is > 0 and { } sending ? Direction.UniqueBytes * 8e9 / sending : 0;

    /// <summary>Whether the capture was taken where this direction's data is sent.</summary>
    public bool IsAtSender => Connection.Vantage == (IsFromClient ? Vantage.Client : Vantage.Server);

    /// <summary>Whether it was taken anywhere else than at the sender.</summary>
    public bool IsAway => Connection.Vantage == Vantage.Middle || IsAtReceiver;

    /// <summary>Whether the capture was taken where this direction's data arrives.</summary>
    public bool IsAtReceiver => Connection.Vantage == (IsFromClient ? Vantage.Server : Vantage.Client);

    /// <summary>Time lost, of the time a cause held the sender back, nanoseconds.</summary>
    public (long Max, long Min) LostOf(long nanoseconds) => new TimeLost(this).Of(nanoseconds);

    /// <summary>Completes a finding about this direction. Nothing is more than a note where the path was full: more cannot come over it.</summary>
    public Finding Found(FindingDraft draft)
    {
        Finding finding = draft.AsNote(IsPathFull).On(Connection, IsFromClient);
        return finding.Severity > FindingSeverity.Note && Shared is { IsFull: true } ? draft.AsNote().On(Connection, IsFromClient) : finding;
    }

    /// <summary>A time beside the active time, e.g. <c>4.20 s of 5.00 s</c>.</summary>
    public string OfActive(long nanoseconds) => InvariantText.Of($"{Quantity.Duration(nanoseconds)} of {Quantity.Duration(ActiveTime)}");
}

/// <summary>Adds what the sender's own stack counted to the text of a finding.</summary>
static class CounterEvidence
{
    /// <summary>Adds the counter of a limit as evidence; nothing where no comparable counter exists.</summary>
    public static FindingText ShownCounter(this FindingText text, ConnectionDirection direction, LimitState state) =>
        direction.LimitCounters is { IsComparable: true, Times: { } times } counters
            ? text.Shown($"counted by the sender's Windows itself, as limited by {NameOf(state)}", $"{Quantity.Duration(Of(times, state))}", counters.Samples)
            : text;

    static long Of(in CountedLimits times, LimitState state) => state switch
    {
        LimitState.ReceiveWindow => times.ReceiveWindow,
        LimitState.CongestionWindow => times.Congestion,
        _ => times.Sender,
    };

    static string NameOf(LimitState state) => state switch
    {
        LimitState.ReceiveWindow => "the receive window",
        LimitState.CongestionWindow => "congestion control",
        _ => "the sender (application or send buffer)",
    };
}
