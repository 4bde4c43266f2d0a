using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>
/// Transfers that were meant to last a round number of seconds: a measurement (iperf3) has a control connection to the same port, which opens just before,
/// speaks first, says little, and ends just after. Their end is no time limit that somebody waited for.
/// </summary>
sealed class MeasuredTransfers
{
    const long MaxControlBytes = 64 * 1024; // parameters and results are some kilobytes of JSON (assumed)
    const long MaxApartNanos = 2_000_000_000; // its begin before the transfer's, and its end behind it (assumed)
    const int MaxCandidates = 16; // a measurement has one: hundreds between the same ends are something else

    static readonly Comparer<Control> ByFirstPacket = Comparer<Control>.Create(Control.Compare);

    readonly Dictionary<(IpAddress Client, Endpoint Server), List<Control>> _controls = [];

    /// <summary>Whether there is anything to soften.</summary>
    public static bool IsAny(List<Finding> findings) => findings.Exists(IsTimeout);

    /// <summary>Looks at a connection, which need not be kept: it may be the control connection of others.</summary>
    /// <param name="connection">The connection.</param>
    public void Add(Connection connection)
    {
        if (!IsSmall(connection))
        {
            return;
        }

        if (!_controls.TryGetValue(Ends(connection), out List<Control>? ofEnds))
        {
            _controls[Ends(connection)] = ofEnds = [];
        }

        var control = Control.Of(connection);
        int place = ofEnds.BinarySearch(control, ByFirstPacket);
        ofEnds.Insert(place < 0 ? ~place : place, control);
        if (ofEnds.Count > MaxCandidates)
        {
            ofEnds.RemoveAt(MaxCandidates);
        }
    }

    /// <summary>Makes what is said of their end a note, when all connections have been added.</summary>
    /// <param name="findings">The findings; changed in place.</param>
    public void Soften(List<Finding> findings)
    {
        for (int i = 0; i < findings.Count; i++)
        {
            if (IsTimeout(findings[i]) && _controls.TryGetValue(Ends(findings[i].Connection!), out List<Control>? ofEnds)
                && ofEnds.Exists(control => control.IsOf(findings[i].Connection!)))
            {
                findings[i] = AsMeasured(findings[i]);
            }
        }
    }

    static bool IsTimeout(Finding finding) => finding is { Id: FindingIds.ApplicationTimeout, Connection: not null };

    static (IpAddress Client, Endpoint Server) Ends(Connection connection) => (connection.Client.Address, connection.Server);

    static bool IsSmall(Connection connection) => connection.FromClient.PayloadBytes > 0
        && connection.FromClient.PayloadBytes + connection.FromServer.PayloadBytes <= MaxControlBytes;

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

    readonly record struct Control(long FirstPacket, TraceTime Start, ushort Port, TraceTime? FirstData, TraceTime Last)
    {
        public static Control Of(Connection connection) =>
            new(connection.FirstPacket, connection.Start, connection.Client.Port, connection.FromClient.FirstData, connection.Last);

        public bool IsOf(Connection transfer) => this != Of(transfer)
            && FirstData <= transfer.Start
            && transfer.Start - Start <= MaxApartNanos
            && TraceTime.Distance(Last, transfer.Last) <= MaxApartNanos;

        public static int Compare(Control one, Control other) => (one.FirstPacket, one.Start, one.Port).CompareTo((other.FirstPacket, other.Start, other.Port));
    }
}
