using System;
using System.Linq;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>Tables of sockets, their bytes by hand: two rows each, the second is the one that is looked for (tcpmib.h, udpmib.h).</summary>
public sealed class SocketTableTests
{
    const string Count = "02000000";

    // 10.0.0.1:8080 → 10.0.0.2:443 of process 0x1234; state 5 (established). Ports fill the first two bytes of four.
    const string Tcp = "05000000 0a000001 1f900000 0a000003 01bb0000 11110000" + "05000000 0a000001 1f900000 0a000002 01bb0000 34120000";

    // [2001:db8::1]:8080 → [2001:db8::2]:443; each address is followed by its scope.
    const string Tcp6 = "20010db8000000000000000000000001 00000000 1f900000 20010db8000000000000000000000003 00000000 01bb0000 05000000 11110000"
        + "20010db8000000000000000000000001 07000000 1f900000 20010db8000000000000000000000002 00000000 01bb0000 05000000 34120000";

    const string Udp = "0a000001 1f910000 11110000" + "0a000001 1f900000 34120000";

    const string Udp6 = "20010db8000000000000000000000003 00000000 1f900000 11110000" + "20010db8000000000000000000000001 00000000 1f900000 34120000";

    // Bound to no address.
    const string AnyUdp = "0a000009 1f900000 11110000" + "00000000 1f900000 34120000";

    [Theory]
    [InlineData(Tcp, IpProtocol.Tcp, "10.0.0.1", "10.0.0.2")]
    [InlineData(Tcp6, IpProtocol.Tcp, "2001:db8::1", "2001:db8::2")]
    [InlineData(Udp, IpProtocol.Udp, "10.0.0.1", "10.0.0.2")]
    [InlineData(Udp6, IpProtocol.Udp, "2001:db8::1", "2001:db8::2")]
    [InlineData(AnyUdp, IpProtocol.Udp, "10.0.0.1", "10.0.0.2")]
    public void FindOwner_SecondRow_IsItsProcess(string rows, IpProtocol protocol, string local, string remote)
    {
        byte[] table = Bytes(Count + rows);
        Assert.Equal(0x1234, SocketTable.FindOwner(table, Ends(protocol, local, remote)));
        Assert.Equal(0, SocketTable.FindOwner(table, Ends(protocol, local, remote, port: 8082)));
    }

    [Fact]
    public void FindOwner_TcpSocketThatListens_IsNotTheFlows() =>
        Assert.Equal(
            0,
            SocketTable.FindOwner(Bytes("01000000" + "02000000 00000000 1f900000 00000000 00000000 34120000"), Ends(IpProtocol.Tcp, "10.0.0.1", "10.0.0.2")));

    // Whatever the count says, what is there decides.
    [Theory]
    [InlineData("")]
    [InlineData("02")]
    [InlineData("ffffffff")]
    [InlineData("ffffff7f 05000000 0a000001 1f900000 0a000002 01bb0000 3412")]
    public void FindOwner_CutTable_IsNobody(string table) =>
        Assert.Equal(0, SocketTable.FindOwner(Bytes(table), Ends(IpProtocol.Tcp, "10.0.0.1", "10.0.0.2")));

    static byte[] Bytes(string hex) => Convert.FromHexString(string.Concat(hex.Where(digit => digit != ' ')));

    static FlowEnds Ends(IpProtocol protocol, string local, string remote, ushort port = 8080)
    {
        Assert.True(IpAddress.TryParse(local, out IpAddress here));
        Assert.True(IpAddress.TryParse(remote, out IpAddress there));
        return new FlowEnds(protocol, new Endpoint(here, port), new Endpoint(there, 443));
    }
}
