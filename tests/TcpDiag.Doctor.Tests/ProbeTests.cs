using System;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using TcpDiag.Doctor.Probes;
using Xunit;

namespace TcpDiag.Doctor.Tests;

public sealed class ProbeTests
{
    // RCODE in the low four bits of the fourth byte, RFC 1035 §4.1.1: 0 no error, 2 server failure, 3 no such name, 5 refused.
    [Theory]
    [InlineData(0, "www.example.org", CheckResult.Fine, "answers in ")]
    [InlineData(2, "www.example.org", CheckResult.Problem, "failed (www.example.org)")]
    [InlineData(3, "www.example.org", CheckResult.Problem, "knows no such name (www.example.org)")]
    [InlineData(5, null, CheckResult.Problem, "refused after ")]
    public async Task Ask_Server_IsJudgedByItsAnswer(int code, string? name, CheckResult result, string found)
    {
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        Task<byte[]> asked = Task.Run(() => AnswerOne(server, code));
        Check check = NameServers.Ask(IPAddress.Loopback, ((IPEndPoint)server.LocalEndPoint!).Port, name);
        byte[] question = await asked;

        Assert.Equal(result, check.Result is CheckResult.Note ? CheckResult.Fine : check.Result); // a note: slow, on a busy machine
        Assert.Contains(found, check.Found.Text, StringComparison.Ordinal);

        // Header: recursion desired, one question. Then www.example.org A, or . NS; class IN.
        Assert.Equal([0x01, 0x00, 0x00, 0x01, 0, 0, 0, 0, 0, 0], question[2..12]);
        Assert.Equal(
            name is null ? [0, 0, 2, 0, 1] : [3, .. "www"u8, 7, .. "example"u8, 3, .. "org"u8, 0, 0, 1, 0, 1],
            question[12..]);
    }

    // RFC 3492: bücher is xn--bcher-kva.
    [Fact]
    public void Question_LettersBeyondAscii_AreAskedForInPunycode() => Assert.Equal(
        [13, .. "xn--bcher-kva"u8, 2, .. "de"u8, 0, 0, 1, 0, 1], NameServers.Question("bücher.de.")[12..]);

    // RFC 1035 §2.3.4: labels of 63 octets at most.
    [Fact]
    public void Question_LabelOf63_IsTheLongest()
    {
        Assert.Equal([63, .. Enumerable.Repeat((byte)'a', 63), 0, 0, 1, 0, 1], NameServers.Question(new('a', 63))[12..]);
        Assert.Throws<FormatException>(() => NameServers.Question(new('a', 64)));
        Assert.Throws<FormatException>(() => NameServers.Question(new('ä', 63)));
        Assert.Throws<FormatException>(() => NameServers.Question("a..b"));
        Assert.Throws<FormatException>(() => NameServers.Question(string.Join('.', Enumerable.Repeat("abc", 64)))); // 255 letters
    }

    [Fact]
    [Trait("Needs", "time")]
    public void Ask_SilentServer_IsAProblem()
    {
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        Check check = NameServers.Ask(IPAddress.Loopback, ((IPEndPoint)server.LocalEndPoint!).Port, name: null);
        Assert.Equal((CheckResult.Problem, "name server 127.0.0.1: no answer within 2 s"), (check.Result, check.Found.Text));
    }

    [Theory]
    [InlineData(1500, 1500, false, CheckResult.Fine, "packets of 1500 bytes, the most that eth0 sends, reach 192.0.2.1")]
    [InlineData(1500, 1280, false, CheckResult.Problem, " vanish without a word; eth0 sends up to 1500")]
    [InlineData(1500, 1280, true, CheckResult.Note, " instead of 1500, and the path says so")]
    [InlineData(1500, 1420, true, CheckResult.Fine, " instead of 1500, and the path says so")]
    [InlineData(1500, 60, false, CheckResult.Unknown, "192.0.2.1 does not answer echo requests (ping)")]
    public void PathMtu_Path_IsMeasured(int link, int path, bool isTold, CheckResult result, string found)
    {
        Check check = PathMtu.Check("192.0.2.1", new PathOf(link, path, isTold)).Single();
        Assert.Equal(result, check.Result);
        Assert.Contains(found, check.Found.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void PathMtu_WithoutPing_IsNotKnown()
    {
        Check check = PathMtu.Check("192.0.2.1", new NoProbe()).Single();
        Assert.Equal((CheckResult.Unknown, "echo requests (ping) need administrator's rights here, or the program ping"), (check.Result, check.Found.Text));
    }

    sealed class NoProbe : IEchoProbe
    {
        public EchoResult Send(IPAddress address, int packetBytes) => EchoResult.NotSent;

        public (Message Name, int Mtu)? FirstLink(IPAddress address) => ("eth0", 1500);
    }

    [Fact]
    public void Connect_Loopback_IsTimedAndARefusalNamed()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Assert.Equal(CheckResult.Fine, ConnectTimes.Check(new("127.0.0.1", PortOf(listener))).Single().Result);
        using var deaf = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        deaf.Bind(new IPEndPoint(IPAddress.Loopback, 0)); // nobody else takes the port, nor does who connects
        Check refused = ConnectTimes.Check(new("127.0.0.1", PortOf(deaf))).Single();
        Assert.Equal((CheckResult.Problem, $"IPv4 to 127.0.0.1 port {PortOf(deaf)}: refused: nothing listens there"), (refused.Result, refused.Found.Text));

        static int PortOf(Socket socket) => ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    static byte[] AnswerOne(Socket server, int code)
    {
        byte[] buffer = new byte[512];
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);
        int length = server.ReceiveFrom(buffer, ref from);
        byte[] question = buffer[..length];
        byte[] answer = [.. question];
        answer[2] |= 0x80;
        answer[3] = (byte)(0x80 | code);
        server.SendTo(answer, from);
        return question;
    }

    sealed class PathOf(int link, int path, bool isTold) : IEchoProbe
    {
        public EchoResult Send(IPAddress address, int packetBytes) =>
            packetBytes <= path ? EchoResult.Answered : isTold ? EchoResult.TooBig : EchoResult.Nothing;

        public (Message Name, int Mtu)? FirstLink(IPAddress address) => ("eth0", link);
    }
}
