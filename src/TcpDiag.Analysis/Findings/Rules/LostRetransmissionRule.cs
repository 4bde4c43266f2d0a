namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>A retransmission was lost itself and was sent once more.</summary>
static class LostRetransmissionRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        long lost = subject.Direction.Triggers?.LostRetransmission ?? 0;
        if (lost == 0)
        {
            return null;
        }

        return Word(subject, lost);
    }

    static Finding Word(DirectionSubject subject, long lost) =>
        subject.Found(new FindingDraft(FindingIds.LostRetransmissions)
            .Sure(0.85)
            .Worded(() => new FindingText($"{Quantity.Count(lost, "retransmission")} of the {subject.Sender} had to be sent once more.")
                .Because($"The repair was lost like the original. Loss comes in bursts, or the queue is still full when the repair arrives.")
                .Shown("ranges resent more than once, without the timer", $"{lost}", subject.Direction.Retransmissions, subject.Patterns.RepairAgain ?? subject.Patterns.Retransmission, subject.Patterns.LastRetransmission)
                .Advise(
                    "Network: look for a policer or a short queue on the path (path-loss).",
                    $"Windows {subject.Sender}: builds before 2004 (19041) cannot see a lost retransmission and wait for the timer.")));
}
