namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>A queue on the path multiplies the round trip while data flows.</summary>
static class BufferbloatRule
{
    /// <summary>Median over smallest RTT from which on a queue is at work.</summary>
    public const double QueuedInflation = 1.5;

    const double BloatedInflation = 3;
    const long LeastDelay = 100_000_000; // ns: what a person on a call notices
    const int LeastSamples = 20;
    const int LeastSegments = 4;
    const double LeastCorrelation = 0.5;

    public static Finding? Judge(in DirectionSubject subject)
    {
        RttSummary rtt = subject.Rtt;
        bool isInflated = rtt.Samples >= LeastSamples && rtt.P95 - rtt.Min >= LeastDelay && Inflation(rtt) >= BloatedInflation;
        if (subject.ActiveTime == 0 || !isInflated || !HasLoad(subject))
        {
            return null;
        }

        return Word(subject, rtt);
    }

    // The round trip grows with what this direction has in flight, of which several segments can queue. Delayed acknowledgments and a busy receiver know nothing of that.
    static bool HasLoad(in DirectionSubject subject) =>
        subject.Direction is { RttLoad: >= LeastCorrelation, Mss: { } mss, MaxInFlightBytes: { } most } && most >= LeastSegments * mss;

    static Finding Word(DirectionSubject subject, RttSummary rtt) =>
        subject.Found(new FindingDraft(FindingIds.Bufferbloat)
            .AtLeast(FindingSeverity.Warning)
            .Sure(0.8)
            .Worded(() => new FindingText($"While the {subject.Transfer} runs, a queue adds {Quantity.Duration(rtt.P95 - rtt.Min)} to every round trip.")
                .Because($"The RTT grows from {Quantity.Duration(rtt.Min)} to {Quantity.Duration(rtt.P95)} as data fills a long queue, usually before the slowest link. The transfer itself is not slower for it; everything else on that link is.")
                .Shown("RTT, smallest, median and 95th percentile", $"{Quantity.Duration(rtt.Min)}, {Quantity.Duration(rtt.Median)}, {Quantity.Duration(rtt.P95)}", rtt.Samples, subject.Direction.LongestRtt, subject.Direction.LongestRtt)
                .Shown("correlation of RTT with bytes in flight", $"{subject.Direction.RttLoad:0.00}", rtt.Samples)
                .Shown("most bytes in flight", $"{Quantity.Bytes(subject.Direction.MaxInFlightBytes ?? 0)}")
                .Advise(
                    "Network: active queue management (fq_codel, CAKE, PIE) on the router before the slow link; shape to just below the link's rate.",
                    "Sender: BBR, or LEDBAT for background transfers.")));

    /// <summary>How much the RTT grew under load.</summary>
    /// <param name="rtt">The RTT.</param>
    /// <returns>Median over smallest; 1 without samples.</returns>
    public static double Inflation(RttSummary rtt) => rtt is { Samples: > 0, Min: > 0 } ? (double)rtt.Median / rtt.Min : 1;
}
