using TcpDiag.Analysis.Patterns;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Selective acknowledgments were not agreed upon, or their blocks disappear on the way (RFC 2018).</summary>
static class SackRule
{
    const int LeastDuplicates = 3;

    public static Finding? Judge(Connection connection)
    {
        if (connection.FromClient.SynOptions is not { } asked || connection.FromServer.SynOptions is not { } answered)
        {
            return null;
        }

        bool isAgreed = (asked & answered & TcpOptionKinds.SackPermitted) != 0;
        long resent = connection.FromClient.Retransmissions + connection.FromServer.Retransmissions;
        int bare = Bare(connection.FromClient) + Bare(connection.FromServer);
        bool isRemoved = isAgreed && bare >= LeastDuplicates;
        if (isAgreed ? !isRemoved : resent == 0)
        {
            return null;
        }

        return Word(connection, isRemoved, bare, resent);
    }

    static Finding Word(Connection connection, bool isRemoved, int bare, long resent) =>
        new FindingDraft(FindingIds.SackOff)
            .AtLeast(FindingSeverity.Warning)
            .Sure(isRemoved ? 0.7 : 0.95)
            .Worded(() => new FindingText(isRemoved
                ? InvariantText.Of($"SACK was agreed upon, but {bare} duplicate acknowledgments carry no blocks.")
                : "Selective acknowledgments (SACK) are off.")
                .Because($"Without SACK a sender can repair about one loss per round trip, and RACK and TLP are off too.")
                .Shown("segments resent", $"{resent}", null, isRemoved ? Place.Between(FirstBare(connection), null, connection) : Place.OfOpening(connection))
                .Advise(
                    "Windows: on by default; HKLM\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters, SackOpts must not be 0.",
                    "Linux: net.ipv4.tcp_sack=1.",
                    "Network: compare the SYN on both sides of firewalls; some remove the option."))
            .On(connection);

    static Mark? FirstBare(Connection connection) =>
        (Bare(connection.FromClient) >= Bare(connection.FromServer) ? connection.FromClient : connection.FromServer).Patterns?.DuplicateAck;

    // Blocks that came back were not removed: duplicates without are answers to data that had arrived, where DSACK is off.
    static int Bare(ConnectionDirection direction) => direction.HasSackBlocks ? 0 : direction.Patterns?.DuplicateAcksWithoutSack ?? 0;
}
