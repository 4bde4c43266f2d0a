namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The last segments of a burst were lost and found by a tail loss probe (RFC 8985 §7).</summary>
static class TailLossRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        long probes = subject.Direction.Triggers?.Tlp ?? 0;
        if (probes == 0 || subject.Necessary == 0)
        {
            return null;
        }

        return Word(subject, probes);
    }

    static Finding Word(DirectionSubject subject, long probes) =>
        subject.Found(new FindingDraft(FindingIds.TailLoss)
            .Sure(0.8)
            .Worded(() => new FindingText($"The end of a burst was lost; {Quantity.Count(probes, "probe")} of the {subject.Sender} found it.")
                .Because($"No later packet could show the loss of the last ones. A tail loss probe repairs that in about two round trips instead of a timeout.")
                .Shown("tail loss probes that resent data", $"{probes}", null, subject.Patterns.Probe ?? subject.Patterns.Retransmission, subject.Patterns.LastRetransmission)
                .Advise("See path-loss for the loss itself. Fewer, larger bursts have fewer tails.")));
}
