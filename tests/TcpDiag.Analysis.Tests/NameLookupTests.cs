using System.Linq;
using System.Text;
using TcpDiag.Analysis.Names;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Which connection waited for which name lookup. The client of <see cref="Segments"/> asks 10.0.0.53; the server is 10.0.0.2.</summary>
public sealed class NameLookupTests
{
    const ushort Dns = 53;
    const ushort NetBios = 137;
    const ushort MulticastDns = 5353;

    [Fact]
    public void Lookup_AnsweredWithTheServersAddress_LastsFromTheQueryToTheSyn()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(1000, Query("10.0.0.53", Dns))
            .Packet(31_000, Answer("10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(31_500, Syn()))!;
        Assert.Equal(new LookupDelay(30_500_000, "srv.lan", Dns, 1, true, true, 1), lookup);
    }

    [Fact]
    public void Lookup_AnsweredWithAnotherAddress_IsNotTheConnections() => Assert.Null(Delay(new MemoryTrace()
        .Packet(1000, Query("10.0.0.53", Dns))
        .Packet(31_000, Answer("10.0.0.1", Dns, 10, 0, 0, 9))
        .Packet(31_500, Syn())));

    // Story S3: two NetBIOS queries that nobody answers, then the SYN.
    [Fact]
    public void Lookup_Unanswered_LastsFromTheFirstQuery()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(0, Query("10.0.0.255", NetBios))
            .Packet(750_000, Query("10.0.0.255", NetBios))
            .Packet(2_000_000, Syn()))!;
        Assert.Equal(new LookupDelay(2_000_000_000, "srv.lan", NetBios, 2, false, false, 1), lookup);
    }

    [Fact]
    public void Lookup_UnansweredLongBefore_IsNotTheConnections() => Assert.Null(Delay(new MemoryTrace()
        .Packet(0, Query("10.0.0.255", NetBios))
        .Packet(5_000_001, Syn())));

    [Fact]
    public void Lookup_AnsweredToEveryone_IsJoinedByName()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(0, Query("224.0.0.251", MulticastDns))
            .Packet(5000, Answer("224.0.0.251", MulticastDns, 10, 0, 0, 2))
            .Packet(6000, Syn()))!;
        Assert.True(lookup.IsAnswered);
        Assert.Equal(6_000_000, lookup.Time);
    }

    [Fact]
    public void Lookup_Once_DelaysTheFirstConnectionOnly()
    {
        var connections = new MemoryTrace()
            .Packet(0, Query("10.0.0.255", NetBios))
            .Packet(1000, Syn())
            .Packet(2000, Syn(50001))
            .Analyze().Connections;
        Assert.Equal([true, false], connections.Select(connection => connection.Lookup is not null));
    }

    static LookupDelay? Delay(MemoryTrace trace) => trace.Analyze().Connections.Single().Lookup;

    static FrameBuilder Syn(ushort port = 50000) =>
        new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(port, 443).Seq(ClientIsn).Flags(FrameBuilder.Syn);

    static FrameBuilder Query(string to, ushort service) =>
        new FrameBuilder().Ip("10.0.0.1", to).Udp(5000, service).Payload([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, .. Question]);

    // One A record (RFC 1035 §3.2.1); its owner points at the question.
    static FrameBuilder Answer(string to, ushort service, params byte[] address) =>
        new FrameBuilder().Ip("10.0.0.53", to).Udp(service, 5000).Payload(
            [0, 7, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, .. Question, 0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, .. address]);

    static byte[] Question => [3, .. Encoding.ASCII.GetBytes("srv"), 3, .. Encoding.ASCII.GetBytes("lan"), 0, 0, 1, 0, 1];
}
