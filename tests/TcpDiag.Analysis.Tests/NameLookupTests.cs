using System.Linq;
using System.Text;
using TcpDiag.Analysis.Names;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Which connection waited for which name lookup. The client of <see cref="Segments"/> asks 10.0.0.53; the server is 10.0.0.2.</summary>
public sealed class NameLookupTests
{
    const ushort Dns = 53;
    const ushort NetBios = 137;
    const ushort MulticastDns = 5353;
    const byte Ptr = 12;
    const byte Aaaa = 28;

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
            .Packet(1_000_000, Syn())
            .Packet(1_001_000, Syn(50001))
            .Analyze().Connections;
        Assert.Equal([true, false], connections.Select(connection => connection.Lookup is not null));
    }

    // A resolver that has just asked still waits: what is opened then does not wait for it.
    [Theory]
    [InlineData(700_000, 900_000, null)] // 0.2 s, and the queries are 0.7 s apart
    [InlineData(700_000, 1_450_000, 1450)]
    [InlineData(700_000, 2_700_000, null)] // 2 s: it gave up earlier, and another program asked
    [InlineData(3_000_000, 5_500_000, null)] // a habit of another program, not one lookup
    public void Lookup_Unanswered_IsWaitedForUntilTheResolverGivesUp(long again, long syn, int? milliseconds) =>
        Assert.Equal(milliseconds, Delay(new MemoryTrace()
        .Packet(0, Query("10.0.0.255", NetBios))
        .Packet(again, Query("10.0.0.255", NetBios))
        .Packet(syn, Syn()))?.Time / 1_000_000);

    // What another name than the server's has to do with the connection: its address came from the answer for srv.lan, whenever that was.
    [Theory]
    [InlineData("other", false)]
    [InlineData("SRV", true)] // NetBIOS asks for the name without its domain
    public void Lookup_OfAnotherNameThanTheServers_IsNotTheConnections(string name, bool isTheirs) => Assert.Equal(isTheirs, Delay(new MemoryTrace()
        .Packet(0, Query("10.0.0.53", Dns))
        .Packet(10_000, Answer("10.0.0.1", Dns, 10, 0, 0, 2))
        .Packet(8_000_000, Query("10.0.0.255", NetBios, name: name))
        .Packet(8_750_000, Query("10.0.0.255", NetBios, name: name))
        .Packet(9_500_000, Syn())) is not null);

    // Machines ask for a proxy, for the browsers of their domain and for whoever is there; and they tell which name they want to have (opcode 5).
    [Theory]
    [InlineData("wpad", 0, false)]
    [InlineData("CKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 0, false)] // "*": node status
    [InlineData("EPEEEMFEFDFCFGCACACACACACACACABN", 0, false)] // "ODLTSRV" padded, 0x1D: master browser
    [InlineData("4711", 0, true)] // a host's name
    [InlineData("EPEEEMFEFDFCFGCACACACACACACACACA", 0, true)] // the same, 0x20: file server
    [InlineData("EPEEEMFEFDFCFGCACACACACACACACACA", 0x28, false)]
    public void Lookup_OnTheMachinesOwnAccount_IsNotTheConnections(string name, byte operation, bool isTheirs) => Assert.Equal(isTheirs, Delay(new MemoryTrace()
        .Packet(0, Query("10.0.0.255", NetBios, 32, name, operation))
        .Packet(750_000, Query("10.0.0.255", NetBios, 32, name, operation))
        .Packet(1_500_000, Syn())) is not null);

    // FTP and SSH servers are not alone in asking who an address is: for the server's own it is the connection's, for another it is not.
    [Theory]
    [InlineData("2.0.0.10.in-addr.arpa", true)]
    [InlineData("9.0.0.10.in-addr.arpa", false)]
    [InlineData("10.0.0.2", true)] // the program was given a number, and its resolver asks for it as a name
    [InlineData("10.0.0.9", false)]
    public void Lookup_OfAnAddress_IsTheConnectionsForItsServer(string name, bool isTheirs)
    {
        LookupDelay? lookup = Delay(new MemoryTrace().Packet(0,
            Query("10.0.0.53", Dns, name.EndsWith(".arpa", System.StringComparison.Ordinal) ? Ptr : (byte)1, name)).Packet(5_000_000, Syn()));
        Assert.Equal(isTheirs ? new(5_000_000_000, name, Dns, 1, false, IsAboutServer: true, 1) : null, lookup);
    }

    [Theory]
    [InlineData("2001:db8::567:89ab", "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa")] // RFC 3596 §2.5 has it for another
    [InlineData("192.0.2.7", "7.2.0.192.in-addr.arpa")]
    public void IsAddress_OfAnAddress_IsItsNameInTheDomainForThat(string address, string name)
    {
        Assert.True(IpAddress.TryParse(address, out IpAddress parsed));
        Assert.True(HostName.IsAddress(name, parsed));
        Assert.False(HostName.IsAddress("1" + name[1..], parsed));
    }

    // Services are browsed for (RFC 6763 §4) while the server's own name is answered in 10 ms.
    [Fact]
    public void Lookup_OfTheServersName_IsPreferredToWhatElseWasAsked()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(0, Query("224.0.0.251", MulticastDns, Ptr, "_cast"))
            .Packet(900_000, Query("10.0.0.255", NetBios, name: "other"))
            .Packet(1_980_000, Query("10.0.0.53", Dns))
            .Packet(1_990_000, Answer("10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(2_000_000, Syn()))!;
        Assert.Equal(new LookupDelay(20_000_000, "srv.lan", Dns, 1, true, true, 3), lookup);
    }

    [Fact]
    public void Lookup_OfAService_DelaysNothing() => Assert.Null(Delay(new MemoryTrace()
        .Packet(0, Query("224.0.0.251", MulticastDns, Ptr, "_cast"))
        .Packet(1_000_000, Query("224.0.0.251", MulticastDns, Ptr, "_cast"))
        .Packet(2_000_000, Syn())));

    // The address came at 10 ms; the other type never, and the client connects as its resolver gives up.
    [Fact]
    public void Lookup_OfTwoTypesWithOneAnswer_LastsUntilTheOtherIsGivenUp()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(0, Query("10.0.0.53", Dns))
            .Packet(100, Query("10.0.0.53", Dns, Aaaa))
            .Packet(10_000, Answer("10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(5_020_000, Syn()))!;
        Assert.Equal(new LookupDelay(5_020_000_000, "srv.lan", Dns, 2, true, true, 1) { Missing = "AAAA" }, lookup);
    }

    // The answer came after 30 ms; what the program did for a second then is not the name server's.
    [Fact]
    public void Lookup_AnsweredLongBeforeTheSyn_EndsWithItsAnswer()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(1000, Query("10.0.0.53", Dns))
            .Packet(31_000, Answer("10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(1_031_000, Syn()))!;
        Assert.Equal((30_000_000, 1_000_000_000), (lookup.Time, lookup.AfterTime));
    }

    // Two programs ask. The first server is silent; the second has answered one of them when the other's resolver comes to it.
    [Fact]
    public void Lookup_RepeatedAtAnotherServer_LastsFromItsFirstQuery()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(1000, Query("10.0.0.99", Dns, id: 1))
            .Packet(2000, Query("10.0.0.99", Dns, id: 2))
            .Packet(1_001_000, Query("10.0.0.53", Dns, id: 2))
            .Packet(1_021_000, AnswerTo(2, "10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(2_001_000, Query("10.0.0.53", Dns, id: 1))
            .Packet(2_021_000, AnswerTo(1, "10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(2_022_000, Syn()))!;
        Assert.Equal(new LookupDelay(2_021_000_000, "srv.lan", Dns, 2, true, true, 1), lookup);
    }

    // What was answered and is asked for once more is another lookup, also where the resolver has but one identifier.
    [Fact]
    public void Lookup_AskedForAnew_LastsFromThere()
    {
        LookupDelay lookup = Delay(new MemoryTrace()
            .Packet(1000, Query("10.0.0.53", Dns))
            .Packet(21_000, Answer("10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(2_001_000, Query("10.0.0.53", Dns))
            .Packet(2_021_000, Answer("10.0.0.1", Dns, 10, 0, 0, 2))
            .Packet(2_022_000, Syn()))!;
        Assert.Equal(new LookupDelay(21_000_000, "srv.lan", Dns, 1, true, true, 3), lookup);
    }

    static LookupDelay? Delay(MemoryTrace trace) => trace.Analyze().Connections.Single().Lookup;

    static FrameBuilder Syn(ushort port = 50000) =>
        new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(port, 443).Seq(ClientIsn).Flags(FrameBuilder.Syn);

    // Names with dots stand for themselves, others in the domain lan.
    static FrameBuilder Query(string to, ushort service, byte type = 1, string name = "srv", byte operation = 0, byte id = 7) =>
        new FrameBuilder().Ip("10.0.0.1", to).Udp(5000, service).Payload([0, id, (byte)(1 | operation), 0, 0, 1, 0, 0, 0, 0, 0, 0, .. Question(name, type)]);

    // One A record (RFC 1035 §3.2.1); its owner points at the question.
    static FrameBuilder Answer(string to, ushort service, params byte[] address) => AnswerTo(7, to, service, address);

    static FrameBuilder AnswerTo(byte id, string to, ushort service, params byte[] address) =>
        new FrameBuilder().Ip("10.0.0.53", to).Udp(service, 5000).Payload(
            [0, id, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, .. Question("srv", 1), 0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, .. address]);

    static byte[] Question(string name, byte type) =>
        [.. (name.Contains('.') ? name : name + ".lan").Split('.').SelectMany(label => (byte[])[(byte)label.Length, .. Encoding.ASCII.GetBytes(label)]), 0, 0,
            type, 0, 1];
}
