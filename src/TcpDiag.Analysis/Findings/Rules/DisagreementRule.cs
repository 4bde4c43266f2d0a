using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Packets and stack events, each alone, tell different limits; or the counters of the stack itself tell others than both.</summary>
static class DisagreementRule
{
    const double LeastPart = 0.1;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction.LimitDisagreement is { Part: >= LeastPart } ofEvents)
        {
            return OfEvents(subject, ofEvents);
        }

        return subject.Direction.LimitCounters is { Disagreement: { Part: >= LeastPart } ofCounters } counters ? OfCounters(subject, counters, ofCounters) : null;
    }

    static Finding OfEvents(DirectionSubject subject, LimitDisagreement disagreement) =>
        subject.Found(new FindingDraft(FindingIds.EvidenceDisagrees)
            .Sure(0.5)
            .Worded(() => new FindingText($"Packets and stack events do not tell the same of what limited the {subject.Transfer}.")
                .Because($"For {disagreement.Part:0 %} of the active time the packets say {Name(disagreement.FromPackets)} and the events {Name(disagreement.FromEvents)}. One of the two is incomplete, or a rule does not fit this stack.")
                .Shown("part of the active time that differs", $"{disagreement.Part:0.0 %}", subject.LimitSamples)
                .Advise("Read both in the report's ribbon; where packets are missing, believe the events, and the other way round.")));

    static Finding OfCounters(DirectionSubject subject, LimitCounters counters, LimitDisagreement disagreement) =>
        subject.Found(new FindingDraft(FindingIds.EvidenceDisagrees)
            .Sure(0.5)
            .Worded(() =>
            {
                CountedLimits times = counters.Times.GetValueOrDefault();
                return new FindingText($"The {subject.Sender}'s own counters do not tell the same of what limited the {subject.Transfer}.")
                    .Because($"For {disagreement.Part:0 %} of the active time {Source(subject)} {Name(disagreement.FromPackets)} and the counters of the {subject.Sender}'s Windows {Counted(disagreement.FromEvents)}. A rule does not fit this stack, or its counters mean something else than is documented.")
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

    // They do not tell the two apart.
    static string Counted(LimitState state) => state is LimitState.Application or LimitState.SendBuffer ? "the sender (application or send buffer)" : Name(state);

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
