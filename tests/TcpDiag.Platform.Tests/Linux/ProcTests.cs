using System.IO;
using System.Linq;
using System.Net.Sockets;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Platform.Tests.Linux;

/// <summary>Processes, as this one is shown.</summary>
public sealed class ProcTests
{
    [Fact]
    public void ParseStart_NameWithParentheses_IsSteppedOver()
    {
        // field 3 is the state, field 22 the start time
        const string Stat = "17 (a) b (c)) S 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 4711 23 24";

        Assert.Equal("4711", Proc.ParseStart(Stat));
        Assert.Empty(Proc.ParseStart("17 (a) S 4"));
    }

    [RootFact]
    public void SocketInodes_OwnSocket_IsAmongThem()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        string link = new FileInfo($"/proc/self/fd/{(int)socket.Handle}").LinkTarget!;

        Assert.Contains(link, Proc.SocketInodes("/proc/self").Select(inode => $"socket:[{inode}]"));
    }
}
