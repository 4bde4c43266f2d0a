using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Window scaling was not agreed upon (RFC 7323 §2): no more than 64 kB can be in flight.</summary>
static class WindowScalingRule
{
    const long LongRtt = 5_000_000; // ns: below, 64 kB per round trip make 100 Mbit/s

    public static Finding? Judge(Connection connection)
    {
        if (connection.FromClient.SynOptions is not { } asked || connection.FromServer.SynOptions is not { } answered)
        {
            return null;
        }

        bool isAsked = (asked & TcpOptionKinds.WindowScale) != 0;
        bool isAnswered = (answered & TcpOptionKinds.WindowScale) != 0;
        if (isAsked && isAnswered)
        {
            return null;
        }

        return Word(connection, isAsked);
    }

    static Finding Word(Connection connection, bool isAsked)
    {
        string who = isAsked ? "server" : "client";
        bool isFelt = connection.HandshakeRtt >= LongRtt;
        return new FindingDraft(FindingIds.WindowScalingOff)
            .AtLeast(isFelt ? FindingSeverity.Warning : FindingSeverity.Note)
            .Sure(0.95)
            .Worded(() => new FindingText($"Window scaling is off ({(isAsked ? "the answer lacks it" : "it was not asked for")}): at most 64 kB per round trip.")
                .Because($"Both SYNs must carry the option. Either the {who} has it switched off, or a middlebox removed it.")
                .Shown("handshake RTT", $"{(connection.HandshakeRtt is { } rtt ? Quantity.Duration(rtt) : "unknown")}", null, Place.OfOpening(connection))
                .Shown("bound on the rate, 64 kB per RTT", $"{(connection.HandshakeRtt is > 0 and { } time ? Quantity.BitRate(65535 * 8e9 / time) : "unknown")}")
                .Advise(
                    "Windows: netsh interface tcp show global; autotuning level disabled also switches scaling off: set it to normal.",
                    "Linux: net.ipv4.tcp_window_scaling=1; SYN cookies without timestamps lose the option under attack.",
                    "Network: compare the SYN on both sides of firewalls and proxies."))
            .On(connection);
    }
}
