using System;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Window scaling was not negotiated (RFC 7323 §2): no more than 64 kB can be in flight.</summary>
static class WindowScalingRule
{
    const long LongRttNanos = 5_000_000; // below that, 64 kB per round trip still make 100 Mbit/s

    public static Finding? Judge(Connection connection)
    {
        if ((connection.FromClient.HasWindowScale, connection.FromServer.HasWindowScale) is not ({ } isAsked, { } isAnswered) || (isAsked && isAnswered))
        {
            return null;
        }

        return Describe(connection, isAsked);
    }

    static Finding Describe(Connection connection, bool isAsked)
    {
        string who = isAsked ? "server" : "client";
        long? rtt = RoundTrip.PathOf(connection);
        bool isFelt = rtt >= LongRttNanos;
        return new FindingDraft(FindingIds.WindowScalingOff)
            .WithMinSeverity(isFelt ? FindingSeverity.Warning : FindingSeverity.Note)
            .WithConfidence(0.95)
            .WithText(() => new FindingText($"Window scaling is off ({(isAsked ? "the answer lacks it" : "it was not asked for")}): at most 64 kB per round "
                + $"trip.")
                .Because($"Both SYNs must carry the option. Either the {who} has it switched off, or a middlebox removed it.")
                .Shown(
                    "RTT of the path",
                    $"{(rtt is { } known ? Quantity.Duration(known) : "unknown")}",
                    null,
                    EvidenceSpan.OfOpening(connection))
                .Shown(
                    "bound on the rate, 64 kB per RTT",
                    $"{(rtt is > 0 and { } time ? Quantity.BitRate(65535 * 8e9 / time) : "unknown")}")
                .Advise(
                    "Windows: netsh interface tcp show global; autotuning level disabled also switches scaling off: set it to normal.",
                    "Linux: net.ipv4.tcp_window_scaling=1; SYN cookies without timestamps lose the option under attack.",
                    "Network: compare the SYN on both sides of firewalls and proxies."))
            .On(connection);
    }
}

/// <summary>Selective acknowledgments were not negotiated, or their blocks disappear on the way (RFC 2018).</summary>
static class SackRule
{
    const int MinDuplicates = 3;

    /// <summary>Whether it is not in use: the sender cannot know which segments behind a loss have arrived.</summary>
    public static bool IsOff(Connection connection) => IsAgreed(connection) is { } isAgreed ? !isAgreed : IsShownOff(connection);

    public static Finding? Judge(Connection connection)
    {
        bool? isAgreed = IsAgreed(connection);
        long resent = connection.FromClient.Retransmissions + connection.FromServer.Retransmissions;
        int bare = Bare(connection.FromClient) + Bare(connection.FromServer);
        bool isFault = isAgreed switch
        {
            true => bare >= MinDuplicates,
            false => resent > 0,
            null => IsShownOff(connection),
        };
        return isFault ? Describe(connection, isAgreed, bare, resent) : null;
    }

    // Where no SYN tells. A receiver answers each segment that it has already with one duplicate acknowledgment at most, a probe likewise; what there are more
    // answered data behind a hole, and with SACK they would say so.
    static bool IsShownOff(Connection connection) => IsShownOff(connection.FromClient) || IsShownOff(connection.FromServer);

    static bool IsShownOff(ConnectionDirection direction) =>
        direction.Retransmissions > 0
        && Bare(direction) - MinDuplicates >= direction.Retransmissions + direction.ZeroWindowProbes + direction.KeepAlives + (direction.Patterns?.Copies ?? 0);

    static bool? IsAgreed(Connection connection) =>
        connection.FromClient.SynOptions is { } asked && connection.FromServer.SynOptions is { } answered
            ? (asked & answered & TcpOptionKinds.SackPermitted) != 0
            : null;

    static Finding Describe(Connection connection, bool? isAgreed, int bare, long resent) =>
        new FindingDraft(FindingIds.SackOff)
            .Costs(isAgreed == true ? 0 : TimeoutsOf(connection, true) + TimeoutsOf(connection, false))
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(isAgreed switch { true => 0.7, false => 0.95, null => 0.8 })
            .WithText(() => TextOf(isAgreed, bare)
                .Because($"Without SACK a sender can repair about one loss per round trip, and RACK and TLP are off too.")
                .Shown(
                    "segments sent again",
                    $"{resent}",
                    null,
                    isAgreed == false ? EvidenceSpan.OfOpening(connection) : EvidenceSpan.Between(FirstBare(connection), null, connection))
                .Advise(
                    "Windows: on by default; HKLM\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters, SackOpts must not be 0.",
                    "Linux: net.ipv4.tcp_sack=1.",
                    "Network: compare the SYN on both sides of firewalls; some remove the option."))
            .On(connection);

    static FindingText TextOf(bool? isAgreed, int bare) => isAgreed switch
    {
        true => new($"SACK was agreed upon, but {bare} duplicate acknowledgments carry no blocks."),
        false => new("Selective acknowledgments (SACK) are off."),
        null => new($"Selective acknowledgments (SACK) are off, or removed on the way: {bare} duplicate acknowledgments carry no blocks."),
    };

    // With SACK most of them are repaired in a round trip or two.
    static long TimeoutsOf(Connection connection, bool isFromClient)
    {
        var subject = new DirectionSubject(connection, isFromClient);
        return TimeoutRule.IsPathDead(subject) ? 0 : subject.TimeIn(LimitState.Timeout);
    }

    static TracePosition? FirstBare(Connection connection) =>
        (Bare(connection.FromClient) >= Bare(connection.FromServer) ? connection.FromClient : connection.FromServer).Patterns?.DuplicateAck;

    // Where blocks come back, nobody removes them: duplicates without any answer data that had arrived already, with DSACK off.
    static int Bare(ConnectionDirection direction) => direction.HasSackBlocks ? 0 : direction.Patterns?.DuplicateAcksWithoutSack ?? 0;
}

/// <summary>The client offered timestamps and the answer lacks them, or segments lack them that were negotiated (RFC 7323 §3).</summary>
static class TimestampsRule
{
    const int MinPackets = 3;

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
            return DescribeMissing(connection);
        }

        bool isOffered = (connection.FromClient.SynOptions & TcpOptionKinds.Timestamps) > 0;
        if (!isOffered || connection.FromServer.SynOptions is not { } answered || (answered & TcpOptionKinds.Timestamps) != 0)
        {
            return null;
        }

        return Describe(connection, answered);
    }

    static bool IsBare(ConnectionDirection direction) =>
        direction.UnstampedPackets >= MinPackets && 2 * direction.UnstampedPackets >= direction.Packets;

    static Finding DescribeMissing(Connection connection) =>
        new FindingDraft(FindingIds.TimestampsStripped)
            .WithConfidence(0.8)
            .WithText(() => new FindingText($"Both ends agreed upon timestamps, and their segments have none.")
                .Because($"Once agreed upon every segment carries them (RFC 7323 §3.2): a device on the way removes them after the SYNs. Ends that miss "
                    + $"them may drop such segments.")
                .Shown("segments without timestamps, of client and server", $"{connection.FromClient.UnstampedPackets} of {connection.FromClient.Packets} "
                    + $"and {connection.FromServer.UnstampedPackets} of {connection.FromServer.Packets}", null, EvidenceSpan.OfOpening(connection))
                .Advise("Network: compare data segments on both sides of firewalls, proxies and WAN optimisers."))
            .On(connection);

    static Finding Describe(Connection connection, TcpOptionKinds answered) =>
        new FindingDraft(FindingIds.TimestampsStripped)
            .WithConfidence(0.5)
            .WithText(() => new FindingText($"The client offered timestamps, and the server's answer has none.")
                .Because($"The server has them switched off (older Windows does), or a middlebox removed them. Without them fewer needless retransmissions "
                    + $"can be recognised and undone.")
                .Shown("options of SYN-ACK", $"{NamesOf(answered)}", null, EvidenceSpan.OfOpening(connection))
                .Advise(
                    "Windows server: Get-NetTCPSetting, Timestamps; netsh interface tcp set global timestamps=enabled.",
                    "Network: compare SYN and SYN-ACK on both sides of firewalls."))
            .On(connection);

    static string NamesOf(TcpOptionKinds answered) =>
        string.Join(", ", Named.Where(option => (answered & option.Kind) != 0).Select(option => option.Name).DefaultIfEmpty("none of the usual ones"));
}

/// <summary>The segments are smaller than EthernetMtu allows.</summary>
static class SegmentSizeRule
{
    const int EthernetMtu = 1500; // bytes of a packet (RFC 894)
    const int HeadersIpv4 = 40; // IPv4 and TCP without options
    const int HeadersIpv6 = 60;
    const int TimestampBytes = 12; // with two no-operations (RFC 7323 appendix A)

    public static Finding? Judge(Connection connection)
    {
        int headers = connection.Server.Address.IsIpv4 ? HeadersIpv4 : HeadersIpv6;
        return connection.FromClient is { Mss: > 0 and { } mss } && SegmentRoom(connection, mss) + headers is { } mtu && mtu < EthernetMtu
            ? Describe(connection, mss, mtu)
            : null;
    }

    // What a segment has room for, its own options included: that is what the options of the SYNs tell, and a snap length keeps those that stand first.
    static int? SegmentRoom(Connection connection, int mss) => (connection.FromClient, connection.FromServer) switch
    {
        ({ MssOption: { } asked }, { MssOption: { } answered }) => Math.Min(asked, answered),
        ({ SynOptions: { } asked }, { SynOptions: { } answered }) => mss + ((asked & answered & TcpOptionKinds.Timestamps) != 0 ? TimestampBytes : 0),
        _ => null,
    };

    static Finding Describe(Connection connection, int mss, int mtu)
    {
        (int? asked, int? answered) = (connection.FromClient.MssOption, connection.FromServer.MssOption);
        return new FindingDraft(FindingIds.MssClamped)
            .WithConfidence(asked == answered ? 0.6 : 0.7)
            .WithText(() => new FindingText($"Segments carry at most {mss} bytes.")
                .Because($"{Who(asked, answered)} has room for packets of {mtu} bytes only{Likely(mtu)}, or a device on the way lowered the MSS option. "
                    + $"More packets for the same data take more of a processor, and each of them can be lost.")
                .Shown("MSS after options", $"{mss} bytes", null, EvidenceSpan.OfOpening(connection))
                .Shown("MSS options of SYN and SYN-ACK", $"{Bytes(asked)} and {Bytes(answered)}")
                .Shown("largest segments of client and server", $"{Bytes(connection.FromClient.LargestSegment)} and "
                    + $"{Bytes(connection.FromServer.LargestSegment)}")
                .Advise(
                    "Network: compare the MSS option of the SYN on both sides of routers and VPN gateways; clamp to the path's real MTU, not to a round "
                        + "number.",
                    "Windows: netsh interface ipv4 show subinterfaces shows each MTU.",
                    "Linux: ip link, ip route get ADDRESS."))
            .On(connection);
    }

    // The end with the smaller option; a device on the way may have lowered it.
    static string Who(int? asked, int? answered) => (asked ?? 0).CompareTo(answered ?? 0) switch
    {
        0 => "Each end",
        < 0 => "The client",
        _ => "The server",
    };

    static string Likely(int mtu) => mtu switch
    {
        1492 => " (PPPoE takes 8)",
        1476 => " (a GRE tunnel takes 24)",
        1420 => " (WireGuard's MTU, or the usual clamp of a firewall)",
        1400 => " (the usual clamp before IPsec and GRE tunnels)",
        1280 => " (the least that IPv6 allows: a tunnel)",
        _ => " (a tunnel such as a VPN, PPPoE or GRE takes the rest)",
    };

    static string Bytes(int? size) => size is { } known ? InvariantText.Of($"{known} bytes") : "none";
}
