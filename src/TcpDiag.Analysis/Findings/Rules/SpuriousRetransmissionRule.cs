using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Data was sent again that had arrived.</summary>
static class SpuriousRetransmissionRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Needless == 0)
        {
            return null;
        }

        return Word(subject);
    }

    static Finding Word(DirectionSubject subject)
    {
        NeedCounts needs = subject.Direction.Needs!.Value;
        long recovery = subject.TimeIn(LimitState.Recovery) * subject.Needless / needs.Total;
        FindingDraft draft = new FindingDraft(FindingIds.SpuriousRetransmissions)
            .Sure(needs.Spurious > 0 ? 0.95 : 0.6)
            .Worded(() => new FindingText($"The {subject.Sender} sent {Quantity.Count(subject.Needless, "segment")} again that had arrived.")
                .Because($"The {subject.Sender} gave up on data too early: packets overtook each other, or an acknowledgment came later than its timer allowed. Each time it may cut its congestion window for nothing.")
                .Shown("proven needless (DSACK, or the echoed timestamp is older)", $"{needs.Spurious} of {needs.Total}", subject.Direction.WireSegments, subject.Patterns.Retransmission, subject.Patterns.LastRetransmission)
                .Shown("probably needless (acknowledged too soon for a round trip)", $"{needs.LikelySpurious} of {needs.Total}")
                .Shown("DSACKs", $"{subject.Direction.Dsacks}", null, subject.Patterns.Dsack)
                .Advise(
                    "Network: look for reordering (path-reordering) and for sudden delays (Wi-Fi power saving, a VPN that re-keys).",
                    $"Windows {subject.Sender}: use a build from 22621 on: earlier ones do not adapt, or not to DSACKs.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_dsack, net.ipv4.tcp_timestamps and net.ipv4.tcp_recovery at their defaults of 1."));
        return subject.Found(ReorderingCwndRule.IsTheCause(subject) ? draft : draft.Costs(recovery));
    }
}
