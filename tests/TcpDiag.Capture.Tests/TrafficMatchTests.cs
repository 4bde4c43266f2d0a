using System;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Capture.Tests;

public sealed class TrafficMatchTests
{
    [Theory]
    [InlineData("tcp", "tcp")]
    [InlineData("tcp and port 443", "tcp port 443")]
    [InlineData("port 443,5000-5100 udp", "udp port 443,5000-5100")]
    [InlineData("host 10.1.2.3/8", "host 10.0.0.0/8")]
    [InlineData("host 2001:db8::1/32,10.0.0.1 and tcp", "tcp host 2001:db8::/32,10.0.0.1")]
    public void TryParse_Terms_AreKept(string text, string expected)
    {
        Assert.True(TrafficMatch.TryParse(text, out TrafficMatch? match, out _));
        Assert.Equal(expected, match!.ToString());
    }

    [Theory]
    [InlineData("", "expected at least one of: tcp, udp, host ADDRESS, port NUMBER")]
    [InlineData("and", "expected at least one of: tcp, udp, host ADDRESS, port NUMBER")]
    [InlineData("sctp", "expected tcp, udp, host, port or and; found 'sctp'")]
    [InlineData("tcp udp", "expected one of tcp and udp, found both")]
    [InlineData("port", "expected a port or range behind 'port', found ''")]
    [InlineData("port 65536", "expected a port or range behind 'port', found '65536'")]
    [InlineData("port 20-10", "expected a port or range behind 'port', found '20-10'")]
    [InlineData("host 10.0.0.0/33", "expected an address or prefix behind 'host', found '10.0.0.0/33'")]
    [InlineData("port 1 port 2", "expected a port or range behind 'port' once, as a list with commas; found it again")]
    public void TryParse_Wrong_SaysWhat(string text, string expected)
    {
        Assert.False(TrafficMatch.TryParse(text, out TrafficMatch? match, out string? problem));
        Assert.Null(match);
        Assert.Equal(expected, problem);
    }

    [Theory]
    [InlineData("tcp", "10.0.0.1", 1, "10.0.0.2", 2, true)]
    [InlineData("udp", "10.0.0.1", 1, "10.0.0.2", 2, false)]
    [InlineData("port 2", "10.0.0.1", 1, "10.0.0.2", 2, true)]
    [InlineData("port 3-9", "10.0.0.1", 1, "10.0.0.2", 2, false)]
    [InlineData("host 10.0.0.2", "10.0.0.1", 1, "10.0.0.2", 2, true)]
    [InlineData("host 10.0.0.0/31 port 9", "10.0.0.1", 9, "10.0.0.2", 2, true)]
    [InlineData("host 0.0.0.0/0", "2001:db8::1", 1, "2001:db8::2", 2, false)]
    [InlineData("host ::/0", "10.0.0.1", 1, "10.0.0.2", 2, false)]
    [InlineData("host 2001:db8::/33", "2001:db8:8000::1", 1, "2001:db9::2", 2, false)]
    [InlineData("host 2001:db8::/33", "2001:db8:7fff::1", 1, "2001:db9::2", 2, true)]
    public void IncludesTcp_Ends_AreCompared(string text, string local, ushort localPort, string remote, ushort remotePort, bool expected)
    {
        Assert.True(TrafficMatch.TryParse(text, out TrafficMatch? match, out _));
        Assert.Equal(expected, match!.IncludesTcp(End(local, localPort), End(remote, remotePort)));
    }

    [Fact]
    public void Everything_AnyTcp_IsIncluded()
    {
        Assert.True(TrafficMatch.Everything.IsEverything);
        Assert.True(TrafficMatch.Everything.IncludesTcp(End("10.0.0.1", 1), End("10.0.0.2", 2)));
    }

    internal static Endpoint End(string address, ushort port) =>
        IpAddress.TryParse(address, out IpAddress parsed) ? new(parsed, port) : throw new ArgumentException(address, nameof(address));
}
