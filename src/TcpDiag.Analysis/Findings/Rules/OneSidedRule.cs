using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Of some connections only one direction was captured: what the answers would tell is not known.</summary>
static class OneSidedRule
{
    public static Finding? Judge(IReadOnlyList<Connection> connections)
    {
        int count = connections.Count(connection => connection.IsOneSided);
        return count == 0 ? null : Word(connections.First(connection => connection.IsOneSided), count, connections.Count);
    }

    static Finding Word(Connection first, int count, int all) =>
        new FindingDraft(FindingIds.OneSidedCapture)
            .AtLeast(FindingSeverity.Warning)
            .Sure(0.9)
            .Worded(() => new FindingText(all == 1
                ? $"Only what the {WhoOf(first)} sent was captured."
                : InvariantText.Of($"Of {Quantity.Count(count, "connection")} of {all} only one direction was captured."))
                .Because($"The mirror port copies one direction, the other takes another way through the network or past the recorder, or the filter names only one end. RTT, data in flight, loss, reordering, what retransmissions were for and what limited the sender need both directions, and are not told.")
                .Shown("connections of which one direction was captured", $"{count}")
                .Shown("the first of them", $"{first.Index}")
                .Advise(
                    "Record at one end of the connection: there both directions pass.",
                    "Mirror port: copy received and sent packets (SPAN \"both\"), and all members of a link aggregate.",
                    "Filter: host ADDRESS instead of src host ADDRESS; port N instead of dst port N."))
            .On(all == 1 ? first : null);

    static string WhoOf(Connection connection) => connection.FromServer.Packets == 0 ? "client" : "server";
}
