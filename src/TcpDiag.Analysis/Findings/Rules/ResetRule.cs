using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>A connection ended with a reset; asked only where no time limit explains it (<see cref="ApplicationTimeoutRule"/>).</summary>
static class ResetRule
{
    public static Finding? Judge(Connection connection)
    {
        if (connection.End != ConnectionEnd.Rst)
        {
            return null;
        }

        Mark? byClient = connection.FromClient.Patterns?.Reset;
        Mark? byServer = connection.FromServer.Patterns?.Reset;
        bool isClient = byClient is { } one && (byServer is not { } other || one.Time <= other.Time);
        if ((isClient ? byClient : byServer) is not { } reset)
        {
            return null;
        }

        return Word(connection, reset, isClient);
    }

    static Finding Word(Connection connection, Mark reset, bool isClient)
    {
        string who = isClient ? "client" : "server";
        bool isRefused = !connection.IsHandshakeComplete && !isClient;
        return new FindingDraft(FindingIds.ResetByPeer)
            .AtLeast(isRefused ? FindingSeverity.Warning : FindingSeverity.Note)
            .Sure(0.8)
            .Worded(() => new FindingText(isRefused
                ? (System.FormattableString)$"The server refused the connection."
                : (System.FormattableString)$"The {who} reset the connection after {Quantity.Duration(reset.Time - connection.Start)}.")
                .Because(isRefused
                    ? (System.FormattableString)$"Nothing listens on port {connection.Server.Port}, or a firewall answers in its place."
                    : (System.FormattableString)$"The program closed with unread data or with SO_LINGER 0, crashed, or a middlebox sent the reset in its name.")
                .Shown("first reset", $"after {Quantity.Duration(reset.Time - connection.Start)}", null, reset)
                .Advise(
                    $"Look at the logs of the program on the {who} at that time.",
                    "Network: compare TTL and IP identification of the reset with other packets of that end: if they differ, a middlebox sent it."))
            .On(connection, isClient);
    }
}
