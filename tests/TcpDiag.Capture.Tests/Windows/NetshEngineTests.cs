using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Windows;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Windows;

public sealed class NetshEngineTests
{
    [Theory]
    [InlineData("tcp", "protocol=6")]
    [InlineData("udp host 10.0.0.1", "protocol=17 ipv4.address=10.0.0.1")]
    [InlineData("host 10.0.0.1,10.0.0.2", "ipv4.address=(10.0.0.1,10.0.0.2)")]
    [InlineData("host 2001:db8::1", "ipv6.address=2001:db8::1")]
    [InlineData("ip6 tcp", "ethernet.type=IPv6 protocol=6")]
    [InlineData("tcp process nginx", "protocol=6")]
    [InlineData("tcp host 10.0.0.1 or tcp host 10.0.0.2", "protocol=6 ipv4.address=(10.0.0.1,10.0.0.2)")]
    public void Plan_MatchThatNetshKnows_BecomesItsFilters(string match, string filters)
    {
        CapturePlan plan = Plan(match);

        Assert.Equal(filters, string.Join(' ', plan.Start[0].Call.Arguments
            .SkipWhile(argument => argument is not "packettruncatebytes=120")
            .Skip(1)
            .TakeWhile(argument => argument is not "provider=Microsoft-Windows-TCPIP")));
        Assert.Equal(["events of the TCP stack cannot be filtered: those of all connections are recorded"], plan.Remarks);
    }

    [Theory]
    [InlineData("port 443", "netsh cannot filter by port: packets of all ports are recorded")]
    [InlineData("host 10.0.0.0/8", "netsh filters by whole addresses of one family only: packets of all addresses are recorded")]
    [InlineData("host 10.0.0.1,::1", "netsh filters by whole addresses of one family only: packets of all addresses are recorded")]
    [InlineData("host 10.0.0.1 host 10.0.0.2", "netsh filters by whole addresses of one family only: packets of all addresses are recorded")]
    [InlineData("host 10.0.0.1 or port 443", "netsh filters by whole addresses of one family only: packets of all addresses are recorded")]
    [InlineData("icmp", "netsh cannot filter by all of the match: what it cannot express is recorded too")]
    [InlineData("tcp not host 10.0.0.1", "netsh cannot filter by all of the match: what it cannot express is recorded too")]
    public void Plan_MatchThatNetshDoesNotKnow_RecordsMoreAndSaysSo(string match, string remark)
    {
        CapturePlan plan = Plan(match);

        Assert.Contains(remark, plan.Departures);
        Assert.DoesNotContain(plan.Start[0].Call.Arguments, argument => argument.Contains(".address=", System.StringComparison.Ordinal));
    }

    [Fact]
    public void Plan_Interface_IsQuotedForTheShellOnly()
    {
        ProgramCall call = AtInterfaces("Ethernet 2").Start[0].Call;

        Assert.Contains("captureinterface=Ethernet 2", call.Arguments);
        Assert.EndsWith(" \"captureinterface=Ethernet 2\" protocol=6", call.ToString(), System.StringComparison.Ordinal);
    }

    [Fact]
    public void Plan_SeveralInterfaces_RecordsAtAllAndSaysSo()
    {
        CapturePlan plan = AtInterfaces("Ethernet 2", "Wi-Fi");

        Assert.Contains("netsh records at one interface or at all: packets of all are recorded", plan.Departures);
        Assert.DoesNotContain(plan.Start[0].Call.Arguments, argument => argument.StartsWith("captureinterface", System.StringComparison.Ordinal));
    }

    static CapturePlan AtInterfaces(params string[] names) =>
        new NetshEngine().Plan(
            new()
            {
                Match = MatchParser.Parse("tcp"),
                Interfaces = [.. System.Array.ConvertAll(names, name => new CaptureInterface(name))],
                WithEvents = false,
            },
            @"C:\t.etl",
            26100);

    [Theory]
    [InlineData(1L << 30, false, "maxsize=1040 filemode=single")] // 16 MiB above our own limit
    [InlineData((1L << 30) + 1, false, "maxsize=1041 filemode=single")]
    [InlineData(200L << 20, true, "maxsize=200 filemode=circular")]
    public void Plan_Size_IsABackstopOrTheRing(long bytes, bool isRing, string expected)
    {
        var settings = new CaptureSettings { Match = new MatchAll(), MaxBytes = bytes, IsRing = isRing };

        Assert.Contains($" {expected} ", new NetshEngine().Plan(settings, @"C:\t.etl", 26100).Start[0].Call.ToString(), System.StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("NetTrace-LAB-user", true)]
    [InlineData("PktMon", false)]
    [InlineData("EventLog-System", false)]
    public void Competes_SessionName_IsOfNetsh(string name, bool expected) => Assert.Equal(expected, new NetshEngine().Competes(name));

    static CapturePlan Plan(string match) => new NetshEngine().Plan(new() { Match = MatchParser.Parse(match) }, @"C:\t.etl", 26100);
}
