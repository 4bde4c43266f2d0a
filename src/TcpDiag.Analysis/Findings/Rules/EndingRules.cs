using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>One end closed after a round number of seconds while the other still sent: an application's time limit, not the network (story S4).</summary>
static class ApplicationTimeoutRule
{
    const double NanosecondsPerSecond = 1e9;
    const double Tolerance = 0.25; // s: scheduling and the way to the capture point make a timer late, nothing makes it early
    const double ToleranceShare = 0.0125; // of short limits, between which there is else hardly any time at which a person may break off (assumed)
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

    static bool IsAt(double seconds, int limit) => seconds >= limit - Earliness && seconds <= limit + Math.Min(Tolerance, ToleranceShare * limit);

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

/// <summary>
/// A connection ended with a reset; applied only where neither a time limit explains it (<see cref="ApplicationTimeoutRule"/>) nor a peer that was gone.
/// </summary>
static class ResetRule
{
    const int MinAnswers = 3; // resets in a row answer what was on its way back for such data (assumed)

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

    // Who broke off a transfer: its sender, or a reset that no program sends. A receiver that wants no more closes with a reset on purpose (RFC 2525 §2.17).
    static bool HasBrokenOff(Connection connection, bool isClient)
    {
        var own = new DirectionSubject(connection, isClient);
        BreakOff cut = own.Patterns.BreakOff;
        return (cut & BreakOff.Open) != 0
            && ((cut & BreakOff.OwnData) != 0
                || (cut & (BreakOff.PeerData | BreakOff.Answer)) == (BreakOff.PeerData | BreakOff.Answer)
                || HasAnswered(own, isClient ? connection.FromServer : connection.FromClient));
    }

    // Captured where the data arrives: each reset answers an acknowledgment that was on its way.
    static bool HasAnswered(in DirectionSubject own, ConnectionDirection peer) =>
        own.Patterns.Resets >= MinAnswers && own.Direction.UniqueBytes > peer.UniqueBytes
            && own.Direction.UniqueBytes >= Thresholds.MinCutSegments * (own.Direction.Mss ?? SegmentSizes.EthernetPayload);

    static Finding Describe(Connection connection, TracePosition reset, bool isClient)
    {
        string who = isClient ? "client" : "server";
        bool isRefused = !connection.IsOpen && !isClient;
        bool hasBrokenOff = HasBrokenOff(connection, isClient);
        FindingDraft draft = new FindingDraft(FindingIds.ResetByPeer)
            .WithMinSeverity(isRefused ? FindingSeverity.Warning : FindingSeverity.Note)
            .AsDescription(!isRefused && !hasBrokenOff);
        return (hasBrokenOff ? draft.AsBreakOff() : draft)
            .WithConfidence(0.8)
            .WithText(() => new FindingText(isRefused
                ? "The server refused the connection."
                : $"The {who} reset the connection{(hasBrokenOff ? " in the middle of a transfer," : string.Empty)} after "
                    + $"{Quantity.Duration(reset.Time - connection.Start)}.")
                .Because(isRefused
                    ? InvariantText.Of($"Nothing listens on port {connection.Server.Port}, or a firewall answers in its place.")
                    : "The program closed with unread data or with SO_LINGER 0, crashed, or a middlebox sent the reset in its name.")
                .Shown("first reset", $"after {Quantity.Duration(reset.Time - connection.Start)}", null, reset, reset)
                .Advise(
                    $"Look at the logs of the program on the {who} at that time.",
                    "Network: compare TTL and IP identification of the reset with other packets of that end: if they differ, a middlebox sent it."))
            .On(connection, isClient);
    }
}

/// <summary>One end fell silent: what the other repeats gets no answer, until that gives up.</summary>
static class DeadPeerRule
{
    const int MinUnanswered = 3; // as for a connection that has timed out (R1 of RFC 9293 §3.8.3)
    const int MinStillUnanswered = 5; // where nobody gave up before the capture ended: an outage of seconds ends by itself (assumed)

    public static Finding? Judge(Connection connection)
    {
        for (int side = 0; side < 2; side++)
        {
            var sender = new DirectionSubject(connection, side == 0);
            if (IsTheCause(sender))
            {
                return Describe(sender, sender.Patterns.Unanswered!);
            }
        }

        return null;
    }

    /// <summary>Whether what this end repeated to the end of the connection got no answer, so that its timeouts come from a peer that is gone.</summary>
    public static bool IsTheCause(in DirectionSubject sender)
    {
        Connection connection = sender.Connection;
        return sender.Patterns.Unanswered is { } run
            && connection is { IsOpen: true, IsOneSided: false }
            && connection.End != ConnectionEnd.Fin
            && run.Retransmissions + run.KeepAlives >= (HasGivenUp(sender) ? MinUnanswered : MinStillUnanswered)
            && !MtuBlackHoleRule.IsTheCause(sender);
    }

    static bool HasGivenUp(in DirectionSubject sender) => IsReset(sender) || sender.Connection.End == ConnectionEnd.Timeout;

    static bool IsReset(in DirectionSubject sender) => sender.Connection.End == ConnectionEnd.Rst && sender.Patterns.Reset is not null;

    static Finding Describe(DirectionSubject sender, UnansweredSummary run)
    {
        bool isWaiting = run.HasData; // nobody waits for keep-alives, nor for the answer to a FIN behind data that has all arrived
        TraceTime end = IsReset(sender) ? sender.Patterns.Reset!.Value.Time : run.Last.Time;
        FindingDraft draft = new FindingDraft(FindingIds.DeadPeer)
            .WithMinSeverity(isWaiting ? FindingSeverity.Warning : FindingSeverity.Note)
            .WithConfidence(HasGivenUp(sender) ? 0.85 : 0.6)
            .WithText(() => Text(sender, run, end));
        return (isWaiting ? draft.Costs(end - run.First.Time) : draft).On(sender.Connection, sender.IsFromClient);
    }

    static FindingText Text(in DirectionSubject sender, UnansweredSummary run, TraceTime end) =>
        new FindingText($"The {sender.Receiver} fell silent: {Repeated(run)} of the {sender.Sender} got no answer{Outcome(sender)}.")
            .Because($"The {sender.Receiver}'s machine is gone (crashed, switched off, asleep, or at another address), the path is dead, or a firewall or NAT "
                + $"gateway between them has forgotten the connection{(run.Retransmissions == 0 ? " while it was idle" : string.Empty)}.")
            .Shown("retransmissions and keep-alives without answer", $"{run.Retransmissions} and {run.KeepAlives}", null, run.First, run.Last)
            .Shown(
                "from the first of them until the end",
                $"{Quantity.Duration(end - run.First.Time)}",
                null,
                sender.Patterns.Reset ?? run.Last,
                sender.Patterns.Reset ?? run.Last)
            .Advise(
                $"Network: a capture at the {sender.Receiver} shows whether the packets arrive; compare the idle time limits of firewalls, NAT gateways and "
                    + $"load balancers with the pauses of the connection.",
                "Application: send something in shorter intervals than the shortest of those limits, or switch keep-alives on with such an interval.",
                $"Linux {sender.Sender}: net.ipv4.tcp_keepalive_time (7200 s if not set) or TCP_KEEPIDLE; net.ipv4.tcp_retries2 and TCP_USER_TIMEOUT say when "
                    + $"it gives up.",
                $"Windows {sender.Sender}: KeepAliveTime in Tcpip\\Parameters (2 hours if not set) or SIO_KEEPALIVE_VALS; TCP_MAXRT says when it gives up.");

    static string Repeated(UnansweredSummary run) => (run.Retransmissions, run.KeepAlives) switch
    {
        (0, { } keepAlives) => Quantity.Count(keepAlives, "keep-alive"),
        ({ } resent, 0) => Quantity.Count(resent, "retransmission"),
        var (resent, keepAlives) => $"{Quantity.Count(resent, "retransmission")} and {Quantity.Count(keepAlives, "keep-alive")}",
    };

    static string Outcome(in DirectionSubject sender) => (IsReset(sender), sender.Connection.End) switch
    {
        (true, _) => $", and the {sender.Sender} reset the connection",
        (_, ConnectionEnd.Timeout) => $", and the {sender.Sender} gave up",
        _ => ", to the end of the capture",
    };
}
