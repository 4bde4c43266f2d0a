using System.Globalization;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The path loses packets.</summary>
static class PathLossRule
{
    /// <summary>Part of all segments from which on loss keeps a congestion window small: CUBIC over 50 ms loses its speed well below this.</summary>
    public const double GraveRatio = 1e-3;

    public static Finding? Judge(in DirectionSubject subject)
    {
        long lost = Lost(subject);
        if (lost == 0)
        {
            return null;
        }

        return Word(subject, lost);
    }

    static Finding Word(DirectionSubject subject, long lost)
    {
        ConnectionDirection direction = subject.Direction;
        long recovery = ReorderingCwndRule.IsTheCause(subject) ? 0 : subject.TimeIn(LimitState.Recovery);
        return subject.Found(new FindingDraft(FindingIds.PathLoss)
            .Costs(recovery)
            .Worded(() => new FindingText($"The path lost {Quantity.Count(lost, "packet")} of the {subject.Transfer} ({Percent(lost, direction.WireSegments)}).")
                .Because($"Data did not arrive and had to be sent again; after each loss the {subject.Sender} sends slower. A queue on the path overflows, a link is faulty, or a policer cuts what exceeds a rate.")
                .Shown("packets lost", $"{lost} of {direction.WireSegments}", direction.Loss?.Samples ?? direction.WireSegments, subject.Patterns.Retransmission, subject.Patterns.LastRetransmission)
                .Shown("time spent in recovery", subject.OfActive(recovery), subject.LimitSamples)
                .Shown("RTT, smallest and 95th percentile", $"{Quantity.Duration(subject.Rtt.Min)} and {Quantity.Duration(subject.Rtt.P95)}", subject.Rtt.Samples)
                .Advise(
                    "Network: look at the drop and error counters of the ports on the way; loss with a long queue (RTT rises before it) is congestion, loss without is a faulty link, duplex or a policer.",
                    "Windows: pktmon counters shows drops inside the machine; Get-NetAdapterStatistics shows those of the adapter.",
                    "Linux: ethtool -S eth0, nstat -az TcpRetransSegs, tc -s qdisc.")));
    }

    /// <summary>Packets lost: counted at the receiver, else the retransmissions that were needed.</summary>
    /// <param name="subject">The direction.</param>
    /// <returns>Wire segments.</returns>
    public static long Lost(in DirectionSubject subject) => subject.Direction.Loss?.Packets ?? subject.Necessary;

    /// <summary>Whether the loss is enough to explain a small congestion window.</summary>
    /// <param name="subject">The direction.</param>
    /// <returns>True from one in a thousand on.</returns>
    public static bool IsGrave(in DirectionSubject subject) =>
        Lost(subject) > 0 && Lost(subject) >= GraveRatio * subject.Direction.WireSegments;

    // Three digits that count.
    static string Percent(long part, long all)
    {
        if (all == 0)
        {
            return "-";
        }

        double percent = 100.0 * part / all;
        string format = percent < 1 ? "0.###" : percent < 10 ? "0.##" : "0.#";
        return percent.ToString(format, CultureInfo.InvariantCulture) + " %";
    }
}
