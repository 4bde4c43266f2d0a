using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The client waited for a name before it sent its SYN (story S3).</summary>
static class NameLookupRule
{
    const long MinTimeNanos = 100_000_000;

    public static Finding? Judge(Connection connection)
    {
        if (connection.Lookup is not { Time: >= MinTimeNanos } lookup)
        {
            return null;
        }

        return Describe(connection, lookup);
    }

    static Finding Describe(Connection connection, LookupDelay lookup)
    {
        string answer = lookup.Missing is { } missing ? $"{missing} never answered" : lookup.IsAnswered ? "slow to answer" : "never answered";
        return new FindingDraft(FindingIds.NameLookupDelay)
            .Costs(lookup.Time)
            .WithConfidence(lookup.IsAboutServer ? 0.9 : 0.65)
            .WithText(() => Text(connection, lookup, answer))
            .On(connection);
    }

    static FindingText Text(Connection connection, LookupDelay lookup, string answer)
    {
        TraceTime end = connection.Start + -lookup.AfterTime;
        return new FindingText($"The client waited {Quantity.Duration(lookup.Time)} for a name ({Service(lookup.Service)}, {answer}) before it connected.")
            .Because(Cause(lookup))
            .Shown(
                "from the first query on",
                $"{Quantity.Duration(lookup.Time)}",
                lookup.Queries,
                new(lookup.FirstPacket, end + -lookup.Time),
                new(lookup.FirstPacket, end))
            .Shown("name asked for", $"{lookup.Name}")
            .Advise(
                "Application: do not look up addresses that are numbers already (reverse lookups for logs are the usual reason).",
                "Windows client: a NetBIOS, LLMNR or mDNS query after DNS means that DNS does not know the name: add it there, or turn NetBIOS over TCP/IP "
                    + "off on the adapter.",
                "Network: name servers listed on the client must answer; remove those that are gone.");
    }

    static string Cause(LookupDelay lookup) => lookup switch
    {
        { Missing: { } missing } => $"The address had come; the client's resolver waited in vain for the records of another type it had asked for "
            + $"({missing}). A name server or firewall drops such queries instead of answering that there are none.",
        { Service: 0 } => $"The program asked the machine's resolver for the name and got no result before that; what the resolver asked on the network, "
            + $"the packets before the connection show. The connection itself had not begun.",
        { IsAnswered: true } => $"The name server took that long. The connection itself had not begun.",
        _ => $"Nobody answers for this name, and the client's resolver waits for its time limit, even where the program was given an address as a number.",
    };

    static string Service(int port) => port switch
    {
        53 => "DNS",
        137 => "NetBIOS",
        5353 => "mDNS",
        5355 => "LLMNR",
        _ => "the machine's resolver",
    };
}

/// <summary>SYNs or SYN-ACKs were sent again: the connection was slow to open, or did not open.</summary>
static class ConnectRule
{
    public static Finding? Judge(Connection connection)
    {
        if (connection.SynRetransmissions is not (> 0 and { } resent) || IsRefused(connection, resent))
        {
            return null;
        }

        return Describe(connection, resent);
    }

    // Every SYN was answered by a reset: the client tried again, nothing was lost.
    static bool IsRefused(Connection connection, int resent) =>
        !connection.IsOpen && connection.FromServer.Patterns?.Resets > resent;

    static Finding Describe(Connection connection, int resent)
    {
        long time = connection.ConnectTime ?? (connection.IsOpen ? 0 : connection.Last - connection.Start);
        return new FindingDraft(FindingIds.SynRetransmitted)
            .Costs(time)
            .WithText(() => new FindingText(Title(connection, resent, time))
                .Because(connection.IsOpen
                    ? "The first SYN or its answer was lost, or the server's queue of connections was full (a full backlog drops silently)."
                    : "A firewall drops the SYN, the server is gone, or its queue of connections is full.")
                .Shown("SYNs and SYN-ACKs sent again", $"{resent}", null, EvidenceSpan.OfOpening(connection))
                .Shown(
                    "time until the connection was open",
                    $"{(connection.ConnectTime is { } known ? Quantity.Duration(known) : connection.IsOpen ? "not known" : "never")}")
                .Advise(
                    "Network: a capture at the server shows whether the SYN arrives; look at firewall and load balancer logs.",
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

/// <summary>
/// The SYN-ACK came late although no SYN was resent: what answers for the server took its time. Judged by the client's data, which goes the same way from
/// the capture point to the server and back, wherever that point is.
/// </summary>
static class LateSynAckRule
{
    const long MinExcessNanos = 200_000_000; // beyond the slowest round trips, Windows' delayed ACKs among them (assumed)
    const int MinTimesSlower = 3; // than the slowest round trips (assumed)
    const int ManySamples = 8; // fewer show little of how much the round trip varies (assumed)
    const long InitialRtoNanos = 1_000_000_000; // RFC 6298 §2.1
    const long RtoToleranceNanos = 100_000_000; // coarse timers that expire late (assumed)
    const long RtoEarlinessNanos = 20_000_000; // by a tick of the clock: nothing makes a timer expire early (assumed)

    public static Finding? Judge(Connection connection)
    {
        RttSummary rtt = connection.FromClient.Rtt;
        if (connection.SynAckDelay is not { } delay || rtt.Samples == 0 || !IsLate(delay, rtt) || IsPerhapsResent(delay - rtt.Median, rtt.P95 - rtt.Min))
        {
            return null;
        }

        return Describe(connection, delay, rtt);
    }

    // A client that waits longer sends its SYN again: it was not captured, or the clock was set.
    static bool IsLate(long delay, in RttSummary rtt) =>
        delay - rtt.P95 >= MinExcessNanos && delay >= MinTimesSlower * rtt.P95 && delay < Thresholds.MaxInitialRtoNanos;

    // A SYN-ACK that was lost before the capture point comes again after the server's initial RTO, and looks like the first.
    static bool IsPerhapsResent(long excess, long variation) =>
        excess >= InitialRtoNanos - RtoEarlinessNanos - variation && excess <= InitialRtoNanos + RtoToleranceNanos + variation;

    static Finding Describe(Connection connection, long delay, RttSummary rtt) =>
        new FindingDraft(FindingIds.LateSynAck)
            .Costs(delay - rtt.Median)
            .WithConfidence(rtt.Samples >= ManySamples ? 0.8 : 0.6)
            .WithText(() => new FindingText($"The server's SYN-ACK took {Quantity.Duration(delay)}; later round trips took {Quantity.Duration(rtt.Median)}.")
                .Because("No SYN was sent again: what answers for the server was busy. Its machine is overloaded, a load balancer or proxy connects to its own "
                    + "back end first, or a protection against SYN floods holds the SYN back.")
                .Shown("SYN to SYN-ACK", $"{Quantity.Duration(delay)}", null, Span(connection, delay))
                .Shown(
                    "RTT of the client's data, smallest and 95th percentile",
                    $"{Quantity.Duration(rtt.Min)} and {Quantity.Duration(rtt.P95)}",
                    rtt.Samples)
                .Advise(
                    "Network: a capture at the server shows whether it or something before it is late; have a load balancer or proxy answer SYNs itself and "
                        + "keep connections to its back end open; look at the SYN flood protection (SYN proxy, SYN cookies) of firewalls.",
                    "Windows server: raise the listen backlog of the application; Get-NetAdapterRss shows whether several processors receive.",
                    "Linux server: net.core.somaxconn, net.ipv4.tcp_max_syn_backlog, net.ipv4.tcp_syncookies and the application's backlog; "
                        + "ss -ltn shows how full its accept queue is."))
            .On(connection);

    static EvidenceSpan? Span(Connection connection, long delay) =>
        connection.FirstPacket == 0 ? null : new EvidenceSpan(connection.FirstPacket, connection.Start, connection.Start + delay);
}

/// <summary>
/// The handshake was answered by something nearer than what acknowledges the data. Judged where many segments are in flight: those are acknowledged at once, so
/// that neither delayed acknowledgments nor a slow program explain it.
/// </summary>
static class SplitConnectionRule
{
    const long MinExcessNanos = 20_000_000; // beyond what ends and links vary by (assumed)
    const int MinTimesFarther = 4; // than what answered the handshake (assumed)
    const int MinSamples = 20;
    const int MinSegments = 4; // in flight

    public static Finding? Judge(in DirectionSubject subject)
    {
        ConnectionDirection direction = subject.Direction;
        bool isBulk = direction.Rtt.Samples >= MinSamples && direction is { Mss: { } mss, MaxInFlightBytes: { } most } && most >= MinSegments * mss;
        if (!isBulk || HandshakePart(subject) is not { } near || !IsFarther(direction.Rtt.Min, near))
        {
            return null;
        }

        return Describe(subject, near);
    }

    static bool IsFarther(long data, long near) => data - near >= MinExcessNanos && data >= MinTimesFarther * near;

    // From the capture point to the receiver of the data and back, as the handshake saw it.
    static long? HandshakePart(in DirectionSubject subject) => subject.Connection is { HandshakeRtt: { } whole, SynAckDelay: { } toServer }
        ? subject.IsFromClient ? toServer : whole - toServer
        : null;

    static Finding Describe(DirectionSubject subject, long near)
    {
        RttSummary rtt = subject.Direction.Rtt;
        return subject.Found(new FindingDraft(FindingIds.SplitConnection)
            .WithConfidence(0.6)
            .WithText(() => new FindingText($"Something nearer than the {subject.Receiver} answered the handshake: {Quantity.Duration(near)} then, at least "
                + $"{Quantity.Duration(rtt.Min)} for data.")
                .Because($"A proxy, load balancer or firewall answers in the {subject.Receiver}'s name (SYN proxy, delayed binding) and passes the data on to "
                    + $"an end that is farther away. The windows, timers and options of the handshake are that device's.")
                .Shown("round trip of the handshake on that side", Quantity.Duration(near), null, EvidenceSpan.OfOpening(subject.Connection))
                .Shown("RTT of data, smallest and median", $"{Quantity.Duration(rtt.Min)} and {Quantity.Duration(rtt.Median)}", rtt.Samples)
                .Advise(
                    $"Network: capture on both sides of proxies and firewalls towards the {subject.Receiver}: what is slow may lie behind them.")));
    }
}

/// <summary>
/// A client reused a port for the same service too soon, and the opening failed at first: the server still had the old connection in TIME_WAIT.
/// </summary>
static class PortReuseRule
{
    const long TimeWaitNanos = 240_000_000_000; // twice the maximum segment lifetime (RFC 9293 §3.4.2)

    public static IEnumerable<Finding> Judge(IReadOnlyList<Connection> connections)
    {
        if (!connections.Any(IsSlow))
        {
            yield break;
        }

        var latest = new Dictionary<FlowKey, Connection>();
        foreach (Connection connection in connections)
        {
            FlowKey key = FlowKey.Of(connection.Client, connection.Server, out _);
            if (latest.TryGetValue(key, out Connection? before) && IsHindered(connection, before))
            {
                yield return Describe(connection, before);
            }

            latest[key] = connection;
        }
    }

    static bool IsSlow(Connection connection) =>
        connection.SynRetransmissions > 0 || (!connection.IsOpen && connection.End == ConnectionEnd.Rst);

    static bool IsHindered(Connection connection, Connection before) =>
        IsSlow(connection) && before.End == ConnectionEnd.Fin && connection.Start - before.Last < TimeWaitNanos;

    static Finding Describe(Connection connection, Connection before) =>
        new FindingDraft(FindingIds.PortReuse)
            .Costs(connection.ConnectTime ?? 0)
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(0.7)
            .WithText(() => new FindingText($"Client port {connection.Client.Port} was used again {Quantity.Duration(connection.Start - before.Last)} after "
                + $"its last connection, and the server did not accept it at once.")
                .Because($"The server still keeps the earlier connection in TIME_WAIT and takes the new SYN for an old packet. The client runs short of "
                    + $"ports, or binds a fixed one.")
                .Shown(
                    "end of the earlier connection to the new SYN",
                    $"{Quantity.Duration(connection.Start - before.Last)}",
                    null,
                    EvidenceSpan.OfOpening(connection))
                .Shown("earlier connection", $"{before.Index}")
                .Advise(
                    "Application on the client: keep connections open and use them again; do not bind a fixed local port.",
                    "Windows client: netsh int ipv4 show dynamicport tcp; widen it with set dynamicport.",
                    "Linux client: net.ipv4.ip_local_port_range; NAT gateways run out in the same way."))
            .On(connection);
}
