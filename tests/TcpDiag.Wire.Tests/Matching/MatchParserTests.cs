using System;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Wire.Tests.Matching;

public class MatchParserTests
{
    static PacketFacts Packet(
        string source = "10.0.0.1", ushort sourcePort = 50000, string destination = "10.0.0.2", ushort destinationPort = 443,
        IpProtocol protocol = IpProtocol.Tcp)
    {
        Assert.True(IpAddress.TryParse(source, out IpAddress from));
        Assert.True(IpAddress.TryParse(destination, out IpAddress to));
        return new PacketFacts(protocol, new(from, sourcePort), new(to, destinationPort), true, 1234, "curl");
    }

    [Theory]
    [InlineData("all", true)]
    [InlineData("tcp port 443 out", true)]
    [InlineData("tcp port 443 out and host 10.0.0.1", true)]
    [InlineData("TCP AND PORT 443", true)]
    [InlineData("tcp port 443 in", false)]
    [InlineData("udp", false)]
    [InlineData("not udp", true)]
    [InlineData("not not udp", false)]
    [InlineData("port 440-450", true)]
    [InlineData("port 444-450", false)]
    [InlineData("port 80,440-450", true)]
    [InlineData("tcp port 80, 81 and host 10.0.0.1", false)]
    [InlineData("dst host 10.0.0.1,10.0.0.2", true)]
    [InlineData("process wget,curl", true)]
    [InlineData("src port 443", false)]
    [InlineData("dst port 443", true)]
    [InlineData("src host 10.0.0.1", true)]
    [InlineData("dst host 10.0.0.1", false)]
    [InlineData("host 10.0.0.0/30", true)]
    [InlineData("host 10.0.1.0/24", false)]
    [InlineData("host 10.0.0.3/31", true)]
    [InlineData("host 0.0.0.0/0", true)]
    [InlineData("host ::/0", false)]
    [InlineData("host 2001:db8::/32", false)]
    [InlineData("ip4", true)]
    [InlineData("ip6", false)]
    [InlineData("process curl", true)]
    [InlineData("process 1234", true)]
    [InlineData("process 1235", false)]
    [InlineData("process wget", false)]
    [InlineData("udp or tcp port 443", true)]
    [InlineData("udp or tcp port 80", false)]
    [InlineData("(udp or tcp) port 80", false)]
    [InlineData("not udp and tcp", true)]
    [InlineData("not (udp or tcp)", false)]
    [InlineData("udp port 443 or host 10.0.0.2", true)]
    public void Matches_OnePacket(string rule, bool expected) => Assert.Equal(expected, MatchParser.Parse(rule).Matches(Packet()));

    [Fact]
    public void Matches_Ipv6Prefix_ComparesAcrossTheWords()
    {
        PacketFacts packet = Packet(source: "2001:db8::1:0:0:5", destination: "2001:db8::2");

        Assert.True(MatchParser.Parse("host 2001:db8::1:0:0:0/80").Matches(packet));
        Assert.True(MatchParser.Parse("host 2001:db8::/64").Matches(packet));
        Assert.False(MatchParser.Parse("src host 2001:db8::2:0:0:0/80").Matches(packet));
    }

    [Fact]
    public void Matches_Icmp_TakesBothFamilies()
    {
        Assert.True(MatchParser.Parse("icmp").Matches(Packet(protocol: IpProtocol.Icmp)));
        Assert.True(MatchParser.Parse("icmp").Matches(Packet(protocol: IpProtocol.IcmpV6)));
        Assert.False(MatchParser.Parse("icmp port 443").Matches(Packet(protocol: IpProtocol.Icmp)));
    }

    [Theory]
    [InlineData("all", true)]
    [InlineData("tcp", true)]
    [InlineData("tcp out", true)]
    [InlineData("not port 22", true)]
    [InlineData("port 443 or tcp", true)]
    [InlineData("host 0.0.0.0/0", true)]
    [InlineData("port 0-65535", true)]
    [InlineData("port 443", false)]
    [InlineData("tcp and host 10.0.0.1", false)]
    [InlineData("tcp and not port 22 and process curl", false)]
    [InlineData("port 80 or port 443", false)]
    public void IsBroad_TellsWhetherEverythingMayBeTaken(string rule, bool broad) => Assert.Equal(broad, MatchParser.Parse(rule).IsBroad);

    [Theory]
    [InlineData("", "match, word 1: expected a test such as tcp, port 443, host 10.0.0.1, in, out or process curl, found the end.")]
    [InlineData("tcp prot 443", "match, word 2: expected a test such as tcp, port 443, host 10.0.0.1, in, out or process curl, found 'prot'.")]
    [InlineData("port 70000", "match, word 2: expected a port such as 443 or 8000-8099, found '70000'.")]
    [InlineData("port 80,", "match, word 4: expected a port such as 443 or 8000-8099, found the end.")]
    [InlineData("port 9-8", "match, word 2: expected a port such as 443 or 8000-8099, found '9-8'.")]
    [InlineData("host nowhere", "match, word 2: expected an address such as 10.0.0.1, 10.0.0.0/8 or 2001:db8::1, found 'nowhere'.")]
    [InlineData("host 10.0.0.1/33", "match, word 2: expected an address such as 10.0.0.1, 10.0.0.0/8 or 2001:db8::1, found '10.0.0.1/33'.")]
    [InlineData("src tcp", "match, word 2: expected host or port, found 'tcp'.")]
    [InlineData("(tcp", "match, word 3: expected a closing parenthesis, found the end.")]
    [InlineData("tcp)", "match, word 2: expected the end, and, or, found ')'.")]
    [InlineData("tcp and", "match, word 3: expected a test such as tcp, port 443, host 10.0.0.1, in, out or process curl, found the end.")]
    public void Parse_Nonsense_SaysWhereAndWhat(string rule, string message) =>
        Assert.Equal(message, Assert.Throws<MatchException>(() => MatchParser.Parse(rule)).Message);

    [Fact]
    public void Parse_TooLong_IsRefused() =>
        Assert.Contains(
            "at most 256 words",
            Assert.Throws<MatchException>(() => MatchParser.Parse(string.Concat(System.Linq.Enumerable.Repeat("not ", 100_000)))).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Matches_AllocatesNothing()
    {
        MatchRule rule = MatchParser.Parse("(udp or tcp port 443) and host 10.0.0.0/8 and process curl");
        PacketFacts packet = Packet();
        Assert.True(rule.Matches(in packet));
        long before = GC.GetAllocatedBytesForCurrentThread();
        bool all = true;
        for (int i = 0; i < 100_000; i++)
        {
            all &= rule.Matches(in packet);
        }

        // Whole bytes per packet: now and then the runtime allocates a little for itself, while it recompiles.
        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / 100_000);
        Assert.True(all);
    }
}
