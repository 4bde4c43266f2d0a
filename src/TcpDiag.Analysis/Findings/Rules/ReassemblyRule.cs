using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The receiver drops out-of-order data beyond a limit of its own (story S2).</summary>
static class ReassemblyRule
{
    const long LeastTime = 1_000_000; // ns

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.Reassembly);
        if (time < LeastTime)
        {
            return null;
        }

        return Word(subject, time);
    }

    static Finding Word(DirectionSubject subject, long time) =>
        subject.Found(new FindingDraft(FindingIds.ReassemblyLimit)
            .Costs(time)
            .Sure(0.75)
            .Worded(() => new FindingText($"The {subject.Receiver} drops data that comes after a hole: its reassembly limit is reached.")
                .Because($"Data keeps arriving behind a hole, but the {subject.Receiver}'s SACKs tell nothing new: it keeps only so many out-of-order blocks, and the rest must be sent again.")
                .Shown("time with SACKs that tell nothing new", subject.OfActive(time), subject.LimitSamples, subject.PlaceOf(LimitState.Reassembly))
                .Advise(
                    $"Windows {subject.Receiver}: events 1473 and 1554 of Microsoft-Windows-TCPIP confirm it; use a current build.",
                    "Network: fewer losses per round trip make fewer blocks: see path-loss and path-reordering.")));
}
