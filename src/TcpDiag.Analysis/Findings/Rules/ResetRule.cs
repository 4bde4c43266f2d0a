using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>A connection ended with a reset; asked only where no time limit explains it (<see cref="ApplicationTimeoutRule"/>).</summary>
static class ResetRule
{
    const int LeastUnheard = 3;

    public static Finding? Judge(Connection connection)
    {
        if (connection.End != ConnectionEnd.Rst)
        {
            return Foreign(connection);
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

    static Finding? Foreign(Connection connection)
    {
        bool isClient = connection.FromClient.Patterns?.ForeignReset is not null;
        return (isClient ? connection.FromClient : connection.FromServer).Patterns?.ForeignReset is { } reset ? WordForeign(connection, reset, isClient) : null;
    }

    static Finding WordForeign(Connection connection, Mark reset, bool isClient)
    {
        string who = isClient ? "client" : "server";
        return new FindingDraft(FindingIds.ResetByPeer)
            .Sure(0.8)
            .Worded(() => new FindingText($"A reset in the name of the {who} has a number outside the window: nobody accepts it.")
                .Because($"It belongs to an earlier connection between the same ports, or somebody else sent it who did not know the numbers.")
                .Shown("first such reset", $"after {Quantity.Duration(reset.Time - connection.Start)}", null, reset, reset)
                .Advise("Network: compare TTL and IP identification of the reset with other packets of that end: if they differ, it comes from elsewhere."))
            .On(connection, isClient);
    }

    static Finding Word(Connection connection, Mark reset, bool isClient)
    {
        string who = isClient ? "client" : "server";
        int unheard = (isClient ? connection.FromClient : connection.FromServer).Patterns?.Unheard ?? 0;
        bool isRefused = !connection.IsOpen && !isClient;
        return new FindingDraft(FindingIds.ResetByPeer)
            .AtLeast(isRefused ? FindingSeverity.Warning : FindingSeverity.Note)
            .Sure(0.8)
            .Worded(() => new FindingText(isRefused
                ? "The server refused the connection."
                : $"The {who} reset the connection after {Quantity.Duration(reset.Time - connection.Start)}.")
                .Because(Cause(connection, isRefused, unheard, isClient))
                .Shown("first reset", $"after {Quantity.Duration(reset.Time - connection.Start)}", null, reset, reset)
                .Advise(
                    $"Look at the logs of the program on the {who} at that time.",
                    "Network: compare TTL and IP identification of the reset with other packets of that end: if they differ, a middlebox sent it."))
            .On(connection, isClient);
    }

    static string Cause(Connection connection, bool isRefused, int unheard, bool isClient) => (isRefused, unheard) switch
    {
        (true, _) => InvariantText.Of($"Nothing listens on port {connection.Server.Port}, or a firewall answers in its place."),
        (_, >= LeastUnheard) => InvariantText.Of($"{unheard} keep-alives had got no answer: the {(isClient ? "server" : "client")} was gone, or a firewall or NAT gateway between them had forgotten the idle connection."),
        _ => "The program closed with unread data or with SO_LINGER 0, crashed, or a middlebox sent the reset in its name.",
    };
}
