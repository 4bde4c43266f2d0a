using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Part of the traffic is missing in the trace: statements about it may be wrong, and there are no verdicts for the gaps.</summary>
static class CompletenessRule
{
    /// <summary>Judges a trace.</summary>
    /// <param name="unseen">Bytes acknowledged that were never captured.</param>
    /// <param name="notJudged">Time in which what limited a sender is not known, nanoseconds.</param>
    /// <param name="completeness">What is known of the recording.</param>
    public static Finding? Judge(long unseen, long notJudged, in TraceCompleteness completeness) =>
        unseen == 0 && completeness is { LostEvents: 0, LostBuffers: 0, DroppedPackets: 0, IsDamaged: false }
            ? null
            : Describe(unseen, notJudged, completeness);

    static Finding Describe(long unseen, long notJudged, TraceCompleteness completeness) =>
        new FindingDraft(FindingIds.CaptureIncomplete)
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(0.95)
            .WithText(() => new FindingText($"The trace is not complete: {What(unseen, completeness)}.")
                .Because($"The recorder could not keep up, began or ended in the midst of connections, or filtered too much. Around a gap, until an "
                    + $"acknowledgment shows what is in flight again, what limited the sender is not judged, and bytes in flight do not "
                    + $"count.")
                .Shown("time in which what limited a sender is not known", $"{Quantity.Duration(notJudged)}")
                .ShownCount("bytes acknowledged that were never captured", unseen)
                .ShownCount("packets the recorder dropped", completeness.DroppedPackets)
                .ShownCount("events the recorder lost", completeness.LostEvents)
                .ShownCount("buffers of events the recorder lost", completeness.LostBuffers)
                .Advise(
                    "Record with larger buffers, to a faster disk, with a filter on host or port, and with packets cut to their headers.",
                    "Windows: netsh trace start … bufferSize=1024 maxSize=2048.",
                    "Linux: tcpdump -B 65536 -s 120."))
            .On(null);

    static string What(long unseen, in TraceCompleteness completeness)
    {
        var parts = new List<string>();
        if (unseen > 0)
        {
            parts.Add($"{Quantity.Bytes(unseen)} were acknowledged but never captured");
        }

        if (completeness.DroppedPackets > 0)
        {
            parts.Add($"the recorder dropped {Quantity.Count(completeness.DroppedPackets, "packet")}");
        }

        if (completeness.LostEvents > 0)
        {
            parts.Add($"the recorder lost {Quantity.Count(completeness.LostEvents, "event")}");
        }

        if (completeness.LostBuffers > 0)
        {
            string when = completeness.LostWhen is { } known ? $", {known}" : string.Empty;
            parts.Add($"the recorder lost {Quantity.Count(completeness.LostBuffers, "buffer")} of events{when}");
        }

        if (completeness.IsDamaged)
        {
            parts.Add("part of the file cannot be read");
        }

        return string.Join(", ", parts);
    }
}

/// <summary>Of some connections only one direction was captured.</summary>
static class OneSidedRule
{
    /// <summary>Judges a trace.</summary>
    /// <param name="first">The first connection of which one direction was captured; null without any.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="all">How many connections there are.</param>
    public static Finding? Judge(Connection? first, int count, int all) => first is null ? null : Describe(first, count, all);

    static Finding Describe(Connection first, int count, int all) =>
        new FindingDraft(FindingIds.OneSidedCapture)
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(0.9)
            .WithText(() => new FindingText(all == 1
                ? $"Only what the {WhoOf(first)} sent was captured."
                : InvariantText.Of($"Of {Quantity.Count(count, "connection")} of {all} only one direction was captured."))
                .Because($"The mirror port copies one direction, the other takes another way through the network or past the recorder, or the filter names "
                    + $"only one end. RTT, data in flight, loss, reordering, what retransmissions were for and what limited the sender need both "
                    + $"directions, and are left out.")
                .Shown("connections of which one direction was captured", $"{count}")
                .Shown("the first of them", $"{first.Index}")
                .Advise(
                    "Record at one end of the connection: there both directions pass.",
                    "Mirror port: copy received and sent packets (SPAN \"both\"), and all members of a link aggregate.",
                    "Filter: host ADDRESS instead of src host ADDRESS; port N instead of dst port N."))
            .On(all == 1 ? first : null);

    static string WhoOf(Connection connection) => connection.FromServer.Packets == 0 ? "client" : "server";
}

/// <summary>The recording clock was set while the trace was taken: times before and after cannot be compared.</summary>
static class ClockStepRule
{
    public static Finding? Judge(IReadOnlyList<ClockStep> steps) => steps.Count == 0 ? null : Describe(steps);

    static Finding Describe(IReadOnlyList<ClockStep> steps) =>
        new FindingDraft(FindingIds.ClockStep)
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(0.9)
            .WithText(() => steps.Aggregate(TextOf(steps), static (text, step) =>
                text.Shown($"clock {DirectionOf(step)}", $"{Quantity.Duration(step.Size)}, at packet {step.Packet}")))
            .On(null);

    static FindingText TextOf(IReadOnlyList<ClockStep> steps) =>
        new FindingText(steps.Count == 1
            ? $"The clock of the recording machine went {DirectionOf(steps[0])} by {Quantity.Duration(steps[0].Size)} at once."
            : InvariantText.Of($"The clock of the recording machine was set {steps.Count} times."))
            .Because($"It was set by hand or by time synchronisation, the machine slept, or files were put together in another order. How much time passed "
                + $"is not known: times are counted on as if none had, and of the time around it it is not judged what limited a sender.")
            .Advise(
                "Synchronise the clock before recording.",
                "Windows: w32tm /query /status.",
                "Linux: chronyc tracking or timedatectl.",
                "Virtual machine: do not suspend or move it while it records.");

    static string DirectionOf(ClockStep step) => step.Jump < 0 ? "back" : "forward";
}

/// <summary>Packets and stack events disagree about what limited the sender, or the counters of the stack disagree with both.</summary>
static class DisagreementRule
{
    const double MinShare = 0.1;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction.LimitDisagreement is { Part: >= MinShare } ofEvents)
        {
            return OfEvents(subject, ofEvents);
        }

        return subject.Direction.LimitCounters is { Disagreement: { Part: >= MinShare } ofCounters } counters
            ? OfCounters(subject, counters, ofCounters)
            : null;
    }

    static Finding OfEvents(DirectionSubject subject, LimitDisagreement disagreement) =>
        subject.Found(new FindingDraft(FindingIds.EvidenceDisagrees)
            .AsDescription()
            .WithConfidence(0.5)
            .WithText(() => new FindingText($"Packets and stack events disagree about what limited the {subject.Transfer}.")
                .Because($"For {disagreement.Part:0 %} of the active time the packets say {Name(disagreement.FromPackets)} and the events "
                    + $"{Name(disagreement.FromEvents)}. One of the two is incomplete, or a rule does not fit this stack.")
                .Shown("part of the active time that differs", $"{disagreement.Part:0.0 %}", subject.LimitSamples)
                .Advise("Read both in the report's ribbon; where packets are missing, believe the events, and the other way round.")));

    static Finding OfCounters(DirectionSubject subject, LimitCounters counters, LimitDisagreement disagreement) =>
        subject.Found(new FindingDraft(FindingIds.EvidenceDisagrees)
            .WithConfidence(0.5)
            .WithText(() =>
            {
                CountedLimits times = counters.Times.GetValueOrDefault();
                return new FindingText($"The {subject.Sender}'s own counters disagree about what limited the {subject.Transfer}.")
                    .Because($"For {disagreement.Part:0 %} of the active time {Source(subject)} {Name(disagreement.FromPackets)} and the counters of the "
                        + $"{subject.Sender}'s Windows {Counted(disagreement.FromEvents)}. A rule does not fit this stack, or its counters mean something "
                        + $"else than is documented.")
                    .Shown("part of the active time that differs", $"{disagreement.Part:0.0 %}", subject.LimitSamples)
                    .Shown("counted as limited by the receive window", $"{Quantity.Duration(times.ReceiveWindow)}", counters.Samples)
                    .Shown("counted as limited by congestion control", $"{Quantity.Duration(times.Congestion)}", counters.Samples)
                    .Shown("counted as limited by the sender", $"{Quantity.Duration(times.Sender)}", counters.Samples)
                    .Advise("Look at the report's ribbon beside windows and sends; the counters are no proof, nobody documents when the stack adds to them.");
            }));

    static string Source(in DirectionSubject subject) => subject.Direction.Limits?.Evidence switch
    {
        Evidence.Events => "its events say",
        Evidence.Both => "packets and events say",
        _ => "the packets say",
    };

    // The counters do not distinguish the two.
    static string Counted(LimitState state) =>
        state is LimitState.Application or LimitState.SendBuffer ? "the sender (application or send buffer)" : Name(state);

    static string Name(LimitState state) => state switch
    {
        LimitState.SendBuffer => "send buffer",
        LimitState.CongestionWindow => "congestion window",
        LimitState.ReceiveWindow => "receive window",
        LimitState.Application or LimitState.Idle => "application",
        LimitState.Pacing => "pacing",
        LimitState.Recovery => "recovery",
        LimitState.Timeout => "timeout",
        _ => "reassembly limit",
    };
}
