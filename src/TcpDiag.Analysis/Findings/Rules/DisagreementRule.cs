using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Packets and stack events, each alone, tell different limits.</summary>
static class DisagreementRule
{
    const double LeastPart = 0.1;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction.LimitDisagreement is not { } disagreement || disagreement.Part < LeastPart)
        {
            return null;
        }

        return Word(subject, disagreement);
    }

    static Finding Word(DirectionSubject subject, LimitDisagreement disagreement) =>
        subject.Found(new FindingDraft(FindingIds.EvidenceDisagrees)
            .Sure(0.5)
            .Worded(() => new FindingText($"Packets and stack events do not tell the same of what limited the {subject.Transfer}.")
                .Because($"For {disagreement.Part:0 %} of the active time the packets say {Name(disagreement.FromPackets)} and the events {Name(disagreement.FromEvents)}. One of the two is incomplete, or a rule does not fit this stack.")
                .Shown("part of the active time that differs", $"{disagreement.Part:0.0 %}", subject.LimitSamples)
                .Advise("Read both in the report's ribbon; where packets are missing, believe the events, and the other way round.")));

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
