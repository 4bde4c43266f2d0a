namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>DSACKs are on the wire, and the sender's stack counts none of them (story S2, build 22000).</summary>
static class DsackIgnoredRule
{
    const int LeastDsacks = 3;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction is not { Dsacks: >= LeastDsacks, StackDsacks: 0 })
        {
            return null;
        }

        return Word(subject);
    }

    static Finding Word(DirectionSubject subject) =>
        subject.Found(new FindingDraft(FindingIds.DsackIgnored)
            .AtLeast(FindingSeverity.Warning)
            .Worded(() => new FindingText($"The {subject.Sender}'s TCP ignores the {subject.Direction.Dsacks} DSACKs it gets, and so does not learn that the path reorders.")
                .Because($"DSACKs tell a sender that it resent data for nothing; it should then wait longer before it takes data for lost. The stack's own events count none: the reordering window stays where it was.")
                .Shown("DSACKs on the wire", $"{subject.Direction.Dsacks}", null, Place.Between(subject.Patterns.Dsack, null, subject.Connection))
                .Shown("DSACKs the stack counted", $"0")
                .Advise(
                    $"Windows {subject.Sender}: build 22000 (11 21H2) does this; fixed in the 22621 line: update it.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_dsack=1.",
                    "Until then: take the reordering off the path (path-reordering).")));
}
