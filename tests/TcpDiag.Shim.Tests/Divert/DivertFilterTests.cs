using System;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>Matches in WinDivert's language. That the driver takes them and decides as we do is shown with its own library, under Wine.</summary>
public class DivertFilterTests
{
    static string Translate(string match)
    {
        const string Front = "!impostor and (";
        string filter = DivertFilter.Translate(MatchParser.Parse(match));
        Assert.StartsWith(Front, filter, StringComparison.Ordinal);
        return filter[Front.Length..^1];
    }

    [Theory]
    [InlineData("all", "true")]
    [InlineData("not all", "false")]
    [InlineData("in", "inbound")]
    [InlineData("not in", "outbound")]
    [InlineData("ip6", "ipv6")]
    [InlineData("tcp", "protocol == 6")]
    [InlineData("not udp", "protocol != 17")]
    [InlineData("icmp", "(protocol == 1 or protocol == 58)")]
    [InlineData("not icmp", "(protocol != 1 and protocol != 58)")]
    [InlineData("src port 443", "(tcp? tcp.SrcPort == 443 : (udp? udp.SrcPort == 443 : false))")]
    [InlineData("not dst port 80-90", "(tcp? (tcp.DstPort < 80 or tcp.DstPort > 90) : (udp? (udp.DstPort < 80 or udp.DstPort > 90) : true))")]
    [InlineData(
        "src port 0-9",
        "(tcp? (tcp.SrcPort >= 0 and tcp.SrcPort <= 9) : (udp? (udp.SrcPort >= 0 and udp.SrcPort <= 9) : (protocol == 6 or protocol == 17)))")]
    [InlineData("src host 10.1.2.3", "(ip? ip.SrcAddr == 10.1.2.3 : false)")]
    [InlineData("dst host 10.0.0.0/8", "(ip? (ip.DstAddr >= 10.0.0.0 and ip.DstAddr <= 10.255.255.255) : false)")]
    [InlineData("not src host 10.1.2.3", "(ip? ip.SrcAddr != 10.1.2.3 : true)")]
    [InlineData("src host 0.0.0.0/0", "(ip? (ip.SrcAddr >= 0.0.0.0 and ip.SrcAddr <= 255.255.255.255) : false)")]
    [InlineData(
        "dst host 2001:db8::/32",
        "(ipv6? (ipv6.DstAddr >= 2001:0db8:0000:0000:0000:0000:0000:0000 and ipv6.DstAddr <= 2001:0db8:ffff:ffff:ffff:ffff:ffff:ffff) : false)")]
    [InlineData("process curl", "true")]
    [InlineData("not process curl", "true")]
    [InlineData("tcp out or udp in", "((protocol == 6 and outbound) or (protocol == 17 and inbound))")]
    [InlineData("not (tcp out)", "(protocol != 6 or inbound)")]
    [InlineData("not (tcp or process x)", "(protocol != 6 and true)")]
    public void Translate_Rule_DecidesAsTheRule(string match, string filter) => Assert.Equal(filter, Translate(match));

    [Fact]
    public void Translate_PortAtEitherEnd_AsksBoth() => Assert.Equal($"({Translate("src port 443")} or {Translate("dst port 443")})", Translate("port 443"));

    [Fact]
    public void Translate_NotAtEitherEnd_ExcludesBoth() =>
        Assert.Equal($"({Translate("not src host ::1")} and {Translate("not dst host ::1")})", Translate("not host ::1"));

    [Fact]
    public void Translate_MoreTestsThanTheDriverHolds_TakesEverything()
    {
        // A port at one end is 4 tests: tcp, its port, udp, its port.
        static string Ports(int count) => "src port " + string.Join(',', System.Linq.Enumerable.Range(1, count));

        Assert.StartsWith("(((", Translate(Ports(63)), StringComparison.Ordinal);
        Assert.Equal("true", Translate(Ports(64)));
    }
}
