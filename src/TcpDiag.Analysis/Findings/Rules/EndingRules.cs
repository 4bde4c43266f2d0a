using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>One end closed after a round number of seconds while the other still sent: an application's time limit, not the network (story S4).</summary>
static class ApplicationTimeoutRule
{
    const double NanosecondsPerSecond = 1e9;
    const double Tolerance = 0.25; // s: scheduling and the way to the capture point make a timer late, nothing makes it early
    const double Earliness = 0.005; // s: the clock may start a little after the first packet
    const int MinSeconds = 2;
    const long MaxRefusalNanos = 1_000_000_000; // from the FIN to the first reset, plus a round trip: data under way, or its retransmission

    // Time limits that people configure; any other whole second is chance.
    static readonly int[] UsualLimits = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 150, 180, 240, 300, 600, 900, 1800, 3600];

    public static Finding? Judge(Connection connection)
    {
        for (int side = 0; side < 2; side++)
        {
            var closer = new DirectionSubject(connection, side == 0);
            if (Close(closer) is { } close && Limit(connection, close.Time) is { } seconds)
            {
                return Describe(closer, close, seconds);
            }
        }

        return null;
    }

    // When this end closed, if it refused at once what was still under way. An end that merely has no more to send (RFC 9293 §3.6) goes on receiving.
    static TracePosition? Close(in DirectionSubject closer)
    {
        DirectionPatterns own = closer.Patterns;
        if (own.Reset is not { } reset)
        {
            return null;
        }

        return own.Fin is { } fin
            ? (reset.Time - fin.Time <= closer.Rtt.P95 + MaxRefusalNanos ? fin : null)
            : IsBusy(closer) ? reset : null;
    }

    // A reset instead of a FIN counts when the other end was sending for most of the time.
    static bool IsBusy(in DirectionSubject closer)
    {
        Connection connection = closer.Connection;
        ConnectionDirection incoming = closer.IsFromClient ? connection.FromServer : connection.FromClient;
        return incoming.PayloadBytes > 0 && incoming.ActiveTime is { } active && active > (connection.Last - connection.Start) / 2;
    }

    static int? Limit(Connection connection, TraceTime close)
    {
        if (!connection.IsHandshakeComplete)
        {
            return null;
        }

        double seconds = (close - connection.Start - (connection.ConnectTime ?? 0)) / NanosecondsPerSecond;
        double fromSyn = (close - connection.Start) / NanosecondsPerSecond;
        return Array.Find(UsualLimits, limit => limit >= MinSeconds && (IsAt(seconds, limit) || IsAt(fromSyn, limit))) is > 0 and { } found ? found : null;
    }

    static bool IsAt(double seconds, int limit) => seconds >= limit - Earliness && seconds <= limit + Tolerance;

    static Finding Describe(DirectionSubject closer, TracePosition close, int seconds)
    {
        long after = closer.PeerPatterns.BytesAfterPeerFin;
        return new FindingDraft(FindingIds.ApplicationTimeout)
            .WithMinSeverity(FindingSeverity.Critical)
            .WithConfidence(after > 0 ? 0.9 : 0.75)
            .WithText(() => Text(closer, close, seconds))
            .On(closer.Connection);
    }

    static FindingText Text(in DirectionSubject closer, TracePosition close, int seconds)
    {
        long after = closer.PeerPatterns.BytesAfterPeerFin;
        FindingText text = new FindingText($"The {closer.Sender} gave up after {seconds} s while the {closer.Receiver} was still sending: a time limit of "
            + $"the application.")
            .Because($"The {closer.Sender} closed a round number of seconds after the connection began, and what still came was refused. The network did "
                + $"not end this connection; what made the transfer too slow for the limit is what the other findings say.")
            .Shown(
                "time from the connection's begin to the close",
                $"{Quantity.Duration(close.Time - closer.Connection.Start)}",
                null,
                EvidenceSpan.Between(close, null, closer.Connection))
            .Shown($"resets of the {closer.Sender} in reply to what still came", $"{closer.Patterns.Resets}");
        return (after > 0 ? text.Shown($"bytes the {closer.Receiver} sent after that", $"{after}") : text)
            .Advise(
                $"Application on the {closer.Sender}: find the limit of {seconds} s in its settings (client library, proxy, load balancer); raise it, or "
                    + $"make it count from the last byte received.",
                "Then mend what makes the transfer slow: the first finding of this connection.");
    }
}

/// <summary>A connection ended with a reset; applied only where no time limit explains it (<see cref="ApplicationTimeoutRule"/>).</summary>
static class ResetRule
{
    const int MinUnanswered = 3;

    public static Finding? Judge(Connection connection)
    {
        if (connection.End != ConnectionEnd.Rst)
        {
            return Foreign(connection);
        }

        TracePosition? byClient = connection.FromClient.Patterns?.Reset;
        TracePosition? byServer = connection.FromServer.Patterns?.Reset;
        bool isClient = byClient is { } one && (byServer is not { } other || one.Time <= other.Time);
        if ((isClient ? byClient : byServer) is not { } reset)
        {
            return null;
        }

        return Describe(connection, reset, isClient);
    }

    static Finding? Foreign(Connection connection)
    {
        bool isClient = connection.FromClient.Patterns?.ForeignReset is not null;
        return (isClient ? connection.FromClient : connection.FromServer).Patterns?.ForeignReset is { } reset
            ? DescribeForeign(connection, reset, isClient)
            : null;
    }

    static Finding DescribeForeign(Connection connection, TracePosition reset, bool isClient)
    {
        string who = isClient ? "client" : "server";
        return new FindingDraft(FindingIds.ResetByPeer)
            .WithConfidence(0.8)
            .WithText(() => new FindingText($"A reset in the name of the {who} has a number outside the window: nobody accepts it.")
                .Because($"It belongs to an earlier connection between the same ports, or somebody else sent it who did not know the numbers.")
                .Shown("first such reset", $"after {Quantity.Duration(reset.Time - connection.Start)}", null, reset, reset)
                .Advise("Network: compare TTL and IP identification of the reset with other packets of that end: if they differ, it comes from elsewhere."))
            .On(connection, isClient);
    }

    static Finding Describe(Connection connection, TracePosition reset, bool isClient)
    {
        string who = isClient ? "client" : "server";
        int unanswered = (isClient ? connection.FromClient : connection.FromServer).Patterns?.UnansweredKeepAlives ?? 0;
        bool isRefused = !connection.IsOpen && !isClient;
        return new FindingDraft(FindingIds.ResetByPeer)
            .WithMinSeverity(isRefused ? FindingSeverity.Warning : FindingSeverity.Note)
            .WithConfidence(0.8)
            .WithText(() => new FindingText(isRefused
                ? "The server refused the connection."
                : $"The {who} reset the connection after {Quantity.Duration(reset.Time - connection.Start)}.")
                .Because(Cause(connection, isRefused, unanswered, isClient))
                .Shown("first reset", $"after {Quantity.Duration(reset.Time - connection.Start)}", null, reset, reset)
                .Advise(
                    $"Look at the logs of the program on the {who} at that time.",
                    "Network: compare TTL and IP identification of the reset with other packets of that end: if they differ, a middlebox sent it."))
            .On(connection, isClient);
    }

    static string Cause(Connection connection, bool isRefused, int unanswered, bool isClient) => (isRefused, unanswered) switch
    {
        (true, _) => InvariantText.Of($"Nothing listens on port {connection.Server.Port}, or a firewall answers in its place."),
        (_, >= MinUnanswered) => InvariantText.Of($"{unanswered} keep-alives had got no answer: the {(isClient ? "server" : "client")} was gone, or a "
            + $"firewall or NAT gateway between them had forgotten the idle connection."),
        _ => "The program closed with unread data or with SO_LINGER 0, crashed, or a middlebox sent the reset in its name.",
    };
}
