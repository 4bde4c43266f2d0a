using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Wire.Tests.Matching;

public class MatchTextTests
{
    static readonly string[] Tests =
    [
        "all", "tcp", "icmp", "ip6", "in", "src port 443", "port 80-90", "host 10.0.0.1", "dst host 2001:db8::/32", "process curl", "process 12",
    ];

    [Theory]
    [InlineData("TCP AND port 443,8000-8099", "tcp (port 443 or port 8000-8099)")]
    [InlineData("host 10.0.0.1/32 or not (udp in)", "host 10.0.0.1 or not (udp in)")]
    [InlineData("not not all", "not not all")]
    public void ToString_Rule_GivesTheTextBack(string text, string expected) => Assert.Equal(expected, MatchParser.Parse(text).ToString());

    [Fact]
    public void Parse_TextOfAnyRule_MeansTheSame()
    {
        Gen<MatchRule> rules = Gen.Sized(size => Rule(size > 6 ? 6 : size));
        Prop.ForAll(rules.ToArbitrary(), Gen.Choose(0, 255).ToArbitrary(), (rule, bits) =>
        {
            PacketFacts packet = Packet(bits);
            MatchRule again = MatchParser.Parse(rule.ToString());
            return again.Matches(packet) == rule.Matches(packet) && again.IsBroad == rule.IsBroad
                && string.Equals(again.ToString(), rule.ToString(), System.StringComparison.Ordinal);
        }).QuickCheckThrowOnFailure();
    }

    static Gen<MatchRule> Rule(int depth) => depth == 0
        ? Gen.Elements(Tests).Select(MatchParser.Parse)
        : Gen.OneOf(
            Rule(0),
            Rule(depth / 2).Select(rule => (MatchRule)new MatchNot(rule)),
            Gen.Zip(Rule(depth / 2), Rule(depth / 2)).Select(pair => (MatchRule)new MatchAnd(pair.Item1, pair.Item2)),
            Gen.Zip(Rule(depth / 2), Rule(depth / 2)).Select(pair => (MatchRule)new MatchOr(pair.Item1, pair.Item2)));

    // Each bit decides one of the things that tests ask.
    static PacketFacts Packet(int bits)
    {
        string[] addresses = ["10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db9::1"];
        IpAddress[] parsed = [.. addresses.Select(text => IpAddress.TryParse(text, out IpAddress address) ? address : default)];
        int family = (bits >> 1) & 2;
        return new PacketFacts(
            (bits & 1) == 0 ? IpProtocol.Tcp : IpProtocol.IcmpV6,
            new Endpoint(parsed[family + ((bits >> 3) & 1)], (ushort)((bits & 0x10) == 0 ? 443 : 85)),
            new Endpoint(parsed[family + ((bits >> 4) & 1)], 443),
            (bits & 0x20) == 0,
            (bits & 0x40) == 0 ? 12 : 0,
            (bits & 0x80) == 0 ? "curl" : null);
    }
}
