using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Wire.Tests.Matching;

public sealed class MatchBroadeningTests
{
    [Theory]
    [InlineData("tcp port 443", "tcp port 443")]
    [InlineData("process curl", "tcp")]
    [InlineData("tcp process curl", "tcp")]
    [InlineData("process curl,wget", "tcp")]
    [InlineData("tcp port 443 process curl", "tcp port 443 tcp")]
    [InlineData("udp port 53 or process curl", "udp port 53 or tcp")]
    [InlineData("not process curl", "all")]
    [InlineData("tcp not process curl", "tcp")]
    [InlineData("not (process curl or port 22)", "not port 22")]
    [InlineData("not (process curl port 22)", "all")]
    [InlineData("not (not process curl)", "tcp")]
    [InlineData("not (not process curl port 22)", "tcp or not port 22")]
    public void ForAnyProcess_Rule_LeavesTheRest(string rule, string expected) =>
        Assert.Equal(expected, MatchParser.Parse(rule).ForAnyProcess(new MatchProtocol(IpProtocol.Tcp)).ToString());

    [Fact]
    public void ForAnyProcess_AnyRuleAndPacket_TakesInAtLeastWhatTheRuleDoes() => Prop.ForAll<byte[], ushort, byte>((shape, port, process) =>
    {
        MatchRule rule = Build(shape, 0, depth: 0);
        MatchRule broad = rule.ForAnyProcess();
        var end = new Endpoint(IpAddress.FromIpv4(1), (ushort)(port % 4));
        var packet = new PacketFacts(IpProtocol.Tcp, end, end, IsOut: true, process % 3);
        return !broad.NamesProcess && (!rule.Matches(packet) || broad.Matches(packet));
    }).QuickCheckThrowOnFailure();

    // The bytes are the kinds of the nodes, laid out as a heap: the children of n are 2n + 1 and 2n + 2.
    static MatchRule Build(byte[] shape, int node, int depth)
    {
        int kind = node < shape.Length && depth < 5 ? shape[node] % 6 : 0;
        return kind switch
        {
            1 => new MatchNot(Build(shape, (2 * node) + 1, depth + 1)),
            2 => new MatchAnd(Build(shape, (2 * node) + 1, depth + 1), Build(shape, (2 * node) + 2, depth + 1)),
            3 => new MatchOr(Build(shape, (2 * node) + 1, depth + 1), Build(shape, (2 * node) + 2, depth + 1)),
            4 => new MatchPort(MatchSide.Either, (ushort)(node % 4), (ushort)(node % 4)),
            5 => new MatchAll(),
            _ => new MatchProcess((node % 3) + 1, string.Empty),
        };
    }
}
