using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>
/// Transfers that were meant to last a round number of seconds: a measurement (iperf3) has a control connection to the same port, which opens just before,
/// speaks first, says little, and ends just after. Their end is no time limit that somebody waited for.
/// </summary>
static class MeasuredTransfers
{
    const long MaxControlBytes = 64 * 1024; // parameters and results are some kilobytes of JSON (assumed)
    const long MaxApartNanos = 2_000_000_000; // its begin before the transfer's, and its end behind it (assumed)
    const int MaxCandidates = 16; // a measurement has one: hundreds between the same ends are something else

    /// <summary>Makes what is said of their end a note.</summary>
    /// <param name="findings">The findings; changed in place.</param>
    /// <param name="connections">All connections of the trace.</param>
    public static void Soften(List<Finding> findings, IReadOnlyList<Connection> connections)
    {
        if (!findings.Exists(IsTimeout))
        {
            return;
        }

        ILookup<(IpAddress Client, Endpoint Server), Connection> small = connections.Where(IsSmall).ToLookup(Ends);
        for (int i = 0; i < findings.Count; i++)
        {
            if (IsTimeout(findings[i]) && small[Ends(findings[i].Connection!)].Take(MaxCandidates).Any(control => IsControl(control, findings[i].Connection!)))
            {
                findings[i] = AsMeasured(findings[i]);
            }
        }
    }

    static bool IsTimeout(Finding finding) => finding is { Id: FindingIds.ApplicationTimeout, Connection: not null };

    static (IpAddress Client, Endpoint Server) Ends(Connection connection) => (connection.Client.Address, connection.Server);

    static bool IsSmall(Connection connection) => connection.FromClient.PayloadBytes > 0
        && connection.FromClient.PayloadBytes + connection.FromServer.PayloadBytes <= MaxControlBytes;

    static bool IsControl(Connection control, Connection transfer) => control != transfer
        && control.FromClient.FirstData <= transfer.Start
        && transfer.Start - control.Start <= MaxApartNanos
        && TraceTime.Distance(control.Last, transfer.Last) <= MaxApartNanos;

    static Finding AsMeasured(Finding finding) => finding with
    {
        Severity = FindingSeverity.Note,
        IsDescription = true,
        Text = () => finding.Text() with
        {
            Cause = "A connection to the same port opened just before and ended just after this one: a measurement such as iperf3, which runs for a set time "
                + "and then ends what is still under way. Nobody waited for the rest.",
            Advice = ["Nothing to mend, if that was a measurement."],
        },
    };
}
