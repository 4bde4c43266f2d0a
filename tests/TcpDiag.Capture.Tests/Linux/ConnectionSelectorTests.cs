using System;
using TcpDiag.Capture.Linux;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux;

public sealed class ConnectionSelectorTests
{
    [Theory]
    [InlineData("tcp", true)]
    [InlineData("udp", false)]
    [InlineData("all", true)]
    [InlineData("port 2", true)]
    [InlineData("dst port 1", true)]
    [InlineData("out dst port 1", false)]
    [InlineData("out dst port 2", true)]
    [InlineData("in src host 10.0.0.2", true)]
    [InlineData("in src host 10.0.0.1", false)]
    [InlineData("port 3-9", false)]
    public void Includes_OneOfBothDirections_IsEnough(string match, bool expected)
    {
        var selector = new ConnectionSelector(MatchParser.Parse(match), []);
        Assert.Equal(expected, selector.Includes(End("10.0.0.1", 1), End("10.0.0.2", 2)));
    }

    [Fact]
    public void Includes_OwnConnection_IsLeftOutFromBothEnds()
    {
        Endpoint local = End("10.0.0.1", 1);
        Endpoint remote = End("10.0.0.2", 2);
        var selector = new ConnectionSelector(new MatchAll(), [(local, remote)]);

        Assert.False(selector.Includes(local, remote));
        Assert.False(selector.Includes(remote, local));
        Assert.True(selector.Includes(local, End("10.0.0.2", 3)));
    }

    internal static Endpoint End(string address, ushort port) =>
        IpAddress.TryParse(address, out IpAddress parsed) ? new(parsed, port) : throw new ArgumentException(address, nameof(address));
}
