using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The client offered timestamps and the answer lacks them (RFC 7323 §3).</summary>
static class TimestampsRule
{
    const int LeastPackets = 3;

    static readonly (TcpOptionKinds Kind, string Name)[] Named =
    [
        (TcpOptionKinds.MaximumSegmentSize, "maximum segment size"),
        (TcpOptionKinds.WindowScale, "window scale"),
        (TcpOptionKinds.SackPermitted, "SACK permitted"),
    ];

    public static Finding? Judge(Connection connection)
    {
        if (IsBare(connection.FromClient) || IsBare(connection.FromServer))
        {
            return WordLater(connection);
        }

        bool isOffered = (connection.FromClient.SynOptions & TcpOptionKinds.Timestamps) > 0;
        if (!isOffered || connection.FromServer.SynOptions is not { } answered || (answered & TcpOptionKinds.Timestamps) != 0)
        {
            return null;
        }

        return Word(connection, answered);
    }

    static bool IsBare(ConnectionDirection direction) =>
        direction.UnstampedPackets >= LeastPackets && 2 * direction.UnstampedPackets >= direction.Packets;

    static Finding WordLater(Connection connection) =>
        new FindingDraft(FindingIds.TimestampsStripped)
            .Sure(0.8)
            .Worded(() => new FindingText($"Both ends agreed upon timestamps, and their segments have none.")
                .Because($"Once agreed upon every segment carries them (RFC 7323 §3.2): a device on the way removes them after the SYNs. Ends that miss them may drop such segments.")
                .Shown("segments without timestamps, of client and server", $"{connection.FromClient.UnstampedPackets} of {connection.FromClient.Packets} and {connection.FromServer.UnstampedPackets} of {connection.FromServer.Packets}", null, Place.OfOpening(connection))
                .Advise("Network: compare data segments on both sides of firewalls, proxies and WAN optimisers."))
            .On(connection);

    static Finding Word(Connection connection, TcpOptionKinds answered) =>
        new FindingDraft(FindingIds.TimestampsStripped)
            .Sure(0.5)
            .Worded(() => new FindingText($"The client offered timestamps, and the server's answer has none.")
                .Because($"The server has them switched off (older Windows does), or a middlebox removed them. Without them fewer needless retransmissions can be recognised and undone.")
                .Shown("options of SYN-ACK", $"{NamesOf(answered)}", null, Place.OfOpening(connection))
                .Advise(
                    "Windows server: Get-NetTCPSetting, Timestamps; netsh interface tcp set global timestamps=enabled.",
                    "Network: compare SYN and SYN-ACK on both sides of firewalls."))
            .On(connection);

    static string NamesOf(TcpOptionKinds answered) =>
        string.Join(", ", Named.Where(option => (answered & option.Kind) != 0).Select(option => option.Name).DefaultIfEmpty("none of the usual ones"));
}
