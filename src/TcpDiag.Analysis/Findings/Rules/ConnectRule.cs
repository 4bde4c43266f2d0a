namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>SYNs or SYN-ACKs were sent again: the connection was slow to open, or did not open.</summary>
static class ConnectRule
{
    public static Finding? Judge(Connection connection)
    {
        if (connection.SynRetransmissions is not (> 0 and { } resent) || IsRefused(connection, resent))
        {
            return null;
        }

        return Word(connection, resent);
    }

    // Every SYN was answered, by a reset: a client that tries again has not lost any.
    static bool IsRefused(Connection connection, int resent) =>
        !connection.IsOpen && connection.FromServer.Patterns?.Resets > resent;

    static Finding Word(Connection connection, int resent)
    {
        long time = connection.ConnectTime ?? (connection.IsOpen ? 0 : connection.Last - connection.Start);
        return new FindingDraft(FindingIds.SynRetransmitted)
            .Costs(time)
            .Worded(() => new FindingText(Title(connection, resent, time))
                .Because(connection.IsOpen
                    ? "The first SYN or its answer was lost, or the server's queue of connections was full (a full backlog drops silently)."
                    : "A firewall drops the SYN, the server is gone, or its queue of connections is full.")
                .Shown("SYNs and SYN-ACKs sent again", $"{resent}", null, Place.OfOpening(connection))
                .Shown("time until the connection was open", $"{(connection.ConnectTime is { } known ? Quantity.Duration(known) : connection.IsOpen ? "not known" : "never")}")
                .Advise(
                    "Network: a capture at the server tells whether the SYN arrives; look at firewall and load balancer logs.",
                    "Windows server: raise the listen backlog of the application; netstat -s shows failed connection attempts.",
                    "Linux server: nstat -az TcpExtListenDrops TcpExtListenOverflows; net.core.somaxconn and the application's backlog."))
            .On(connection);
    }

    static string Title(Connection connection, int resent, long time) => (connection.IsOpen, time) switch
    {
        (true, > 0) => $"The connection took {Quantity.Duration(time)} to open: SYN or SYN-ACK had to be sent again.",
        (true, _) => "SYN or SYN-ACK had to be sent again before the connection opened.",
        _ => $"The connection did not open: {Quantity.Count(resent + 1, "SYN")} in {Quantity.Duration(time)} led to nothing.",
    };
}
