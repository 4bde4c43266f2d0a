namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The segments are smaller than Ethernet allows.</summary>
static class SegmentSizeRule
{
    const int LeastUsual = 1340; // bytes: IPv6 or IPv4 with PPPoE, timestamps and a common tunnel stay above

    public static Finding? Judge(Connection connection)
    {
        int? mss = connection.FromClient.Mss;
        if (mss is not (> 0 and < LeastUsual) || connection.FromClient.SynOptions is null || connection.FromServer.SynOptions is null)
        {
            return null;
        }

        return Word(connection, mss);
    }

    static Finding Word(Connection connection, int? mss) =>
        new FindingDraft(FindingIds.MssClamped)
            .Sure(0.7)
            .Worded(() => new FindingText($"Segments carry at most {mss} bytes.")
                .Because($"A tunnel (VPN, PPPoE, GRE) needs room in each packet, and a device on the way, or one end, lowered the MSS in the SYN. More packets for the same data cost CPU, and loss counts per packet.")
                .Shown("MSS after options", $"{mss} bytes")
                .Advise(
                    "Network: compare the MSS option of the SYN on both sides of routers and VPN gateways; clamp to the path's real MTU, not to a round number.",
                    "Windows: netsh interface ipv4 show subinterfaces shows each MTU. Linux: ip link, ip route get ADDRESS."))
            .On(connection);
}
