using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The path drops full-sized segments and lets smaller ones through (RFC 2923 §2.1).</summary>
static class MtuBlackHoleRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Patterns.BlackHole is not { } hole)
        {
            return null;
        }

        return Describe(subject, hole);
    }

    /// <summary>Whether that is what the direction's timeouts come from.</summary>
    public static bool IsTheCause(in DirectionSubject subject) => subject.Patterns.BlackHole is not null;

    static Finding Describe(DirectionSubject subject, BlackHole hole) =>
        subject.Found(new FindingDraft(FindingIds.MtuBlackHole)
            .Costs(hole.Time)
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(Confidence(subject, hole))
            .WithText(() => new FindingText($"Segments of {hole.LostBytes} bytes from the {subject.Sender} do not arrive{Passed(hole)}.")
                .Because(Cause(subject, hole))
                .Shown(
                    "retransmissions of the same segment in full size, none of them acknowledged",
                    $"{hole.Retransmissions}",
                    null,
                    hole.First,
                    hole.Last)
                .Shown("until data arrived again", $"{(hole.PassedBytes is null ? "never" : Quantity.Duration(hole.Time))}")
                .Shown("ICMP reports of a packet too big", Reports(subject), null, subject.Patterns.TooBig, subject.Patterns.TooBig)
                .Advise(
                    "Network: let ICMP type 3 code 4 and ICMPv6 type 2 through firewalls; clamp the MSS option at the tunnel or VPN gateway to its MTU.",
                    $"Windows {subject.Sender}: netsh interface ipv4 set subinterface NAME mtu=1400 to test; ping -f -l 1400 ADDRESS finds the size that "
                        + $"passes; EnablePMTUBHDetect in Tcpip\\Parameters must not be 0, so that the stack probes.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_mtu_probing=1 has the stack probe; ip link set dev eth0 mtu 1400 to test; ping -M do -s 1372 "
                        + $"ADDRESS, or tracepath, finds the size that passes.")));

    static double Confidence(in DirectionSubject subject, BlackHole hole) => (subject.Patterns.TooBig, hole) switch
    {
        (not null, _) => 0.9,
        (_, { PassedBytes: not null, HadPassed: false }) => 0.85,
        _ => 0.6,
    };

    static string Passed(BlackHole hole) => hole.PassedBytes is { } passed ? InvariantText.Of($"; those of {passed} bytes do") : ", smaller ones do";

    static string Cause(in DirectionSubject subject, BlackHole hole)
    {
        string before = hole.HadPassed ? "Full-sized segments had arrived earlier, so the path has changed. " : string.Empty;
        string repair = hole.PassedBytes is null
            ? "It went on sending in full size to the end."
            : "It went on by trying smaller segments, after several timeouts.";
        return subject.Patterns.TooBig is null
            ? InvariantText.Of($"{before}A link on the path takes smaller packets only, and the report that should say so (ICMP) did not reach the "
                + $"{subject.Sender}: a firewall drops it, or a tunnel sends none. {repair}")
            : InvariantText.Of($"{before}A router reported that its next link takes smaller packets only, and the {subject.Sender} went on in full size: its "
                + $"own firewall drops the report, or its stack does not believe it. {repair}");
    }

    static string Reports(in DirectionSubject subject) => (subject.Patterns.TooBig, subject.Patterns.TooBigMtu) switch
    {
        (null, _) => "none in this capture",
        (_, { } mtu) => InvariantText.Of($"yes: packets of at most {mtu} bytes"),
        _ => "yes, without a size",
    };
}
