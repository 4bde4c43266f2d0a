using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The segments are smaller than Ethernet allows.</summary>
static class SegmentSizeRule
{
    const int Ethernet = 1500; // bytes of a packet (RFC 894)
    const int HeadersIpv4 = 40; // IPv4 and TCP without options
    const int HeadersIpv6 = 60;
    const int TimestampBytes = 12; // with two no-operations (RFC 7323 appendix A)

    public static Finding? Judge(Connection connection)
    {
        if (connection.FromClient is not { SynOptions: { } asked, Mss: > 0 and { } mss } || connection.FromServer.SynOptions is not { } answered)
        {
            return null;
        }

        int headers = connection.Server.Address.IsIpv4 ? HeadersIpv4 : HeadersIpv6;
        int mtu = mss + headers + ((asked & answered & TcpOptionKinds.Timestamps) != 0 ? TimestampBytes : 0);
        return mtu < Ethernet ? Word(connection, mss, mtu) : null;
    }

    static Finding Word(Connection connection, int mss, int mtu)
    {
        (int? asked, int? answered) = (connection.FromClient.MssOption, connection.FromServer.MssOption);
        return new FindingDraft(FindingIds.MssClamped)
            .Sure(asked == answered ? 0.6 : 0.7)
            .Worded(() => new FindingText($"Segments carry at most {mss} bytes.")
                .Because($"{Who(asked, answered)} has room for packets of {mtu} bytes only{Likely(mtu)}, or a device on the way lowered the MSS option. More packets for the same data cost CPU, and loss counts per packet.")
                .Shown("MSS after options", $"{mss} bytes", null, Place.OfOpening(connection))
                .Shown("MSS options of SYN and SYN-ACK", $"{Bytes(asked)} and {Bytes(answered)}")
                .Shown("largest segments of client and server", $"{Bytes(connection.FromClient.LargestSegment)} and {Bytes(connection.FromServer.LargestSegment)}")
                .Advise(
                    "Network: compare the MSS option of the SYN on both sides of routers and VPN gateways; clamp to the path's real MTU, not to a round number.",
                    "Windows: netsh interface ipv4 show subinterfaces shows each MTU.",
                    "Linux: ip link, ip route get ADDRESS."))
            .On(connection);
    }

    // Each end sees its own option as it sent it, and the other's as the path left it.
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
