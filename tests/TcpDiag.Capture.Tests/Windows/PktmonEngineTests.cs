using System;
using System.Linq;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Windows;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Windows;

public sealed class PktmonEngineTests
{
    [Fact]
    public void Plan_LaterBuild_RecordsPacketsAndEvents() => Assert.Equal(
        [
            "pktmon filter remove",
            "pktmon filter add tcpdiag1 -t TCP -i 10.0.0.0/8 -p 443",
            @"pktmon start --capture --comp nics --pkt-size 120 --file-name C:\t.etl --file-size 1040 --log-mode circular "
                + "--trace --provider Microsoft-Windows-TCPIP --keywords 0xffffffffffffffff --level 5 --provider Microsoft-Windows-Winsock-AFD "
                    + "--keywords 0xffffffffffffffff --level 4 "
                + "--provider Microsoft-Windows-Winsock-NameResolution --keywords 0xffffffffffffffff --level 5",
        ],
        Plan("tcp host 10.0.0.0/8 port 443", 20348).Start.Select(command => command.Call.ToString()));

    [Theory]
    [InlineData(17763)]
    [InlineData(19045)]
    public void Plan_EarlierBuild_RecordsPacketsAndSaysSo(int build)
    {
        CapturePlan plan = Plan("all", build);

        Assert.Equal(@"pktmon start --etw -c nics -p 120 -f C:\t.etl -s 1040", plan.Start[^1].Call.ToString());
        Assert.Equal("pktmon of this build records no events of the TCP stack: use --engine netsh for them", Assert.Single(plan.Departures));
    }

    [Theory]
    [InlineData(19045, true, "every packet is copied", "the first 120 bytes of each packet: headers, and payload where headers are short")]
    [InlineData(20348, true, "every packet and every event of the TCP stack is copied", "; addresses, ports and process names of all connections, "
        + "names that were looked up")]
    [InlineData(20348, false, "every packet is copied", "the first 120 bytes of each packet: headers, and payload where headers are short")]
    public void Plan_Costs_AreThoseOfWhatTheBuildRecords(int build, bool withEvents, string processor, string isPrivate)
    {
        CaptureCosts costs = new PktmonEngine().Plan(new() { Match = new MatchAll(), WithEvents = withEvents }, @"C:\t.etl", build).Costs;

        Assert.StartsWith(processor, costs.Processor, StringComparison.Ordinal);
        Assert.EndsWith(isPrivate, costs.Privacy, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(17763, false, "-c nics", "packets are recorded at the adapters: one that TCP/IP, the filtering platform or a virtual switch drops is "
        + "not marked as dropped; --drops does")]
    [InlineData(26100, false, "--comp nics", "packets are recorded at the adapters: one that TCP/IP, the filtering platform or a virtual switch drops "
        + "is not marked as dropped; --drops does")]
    [InlineData(17763, true, "-c all", "--drops records each packet at every component that it passes: several times the disk and the work of a "
        + "recording at the adapters")]
    [InlineData(26100, true, "--comp all", "--drops records each packet at every component that it passes: several times the disk and the work of a "
        + "recording at the adapters")]
    public void Plan_Drops_DecideTheComponents(int build, bool withDrops, string components, string remark)
    {
        CapturePlan plan = new PktmonEngine().Plan(new() { Match = new MatchAll(), WithDrops = withDrops }, @"C:\t.etl", build);

        Assert.Contains($" {components} ", plan.Start[^1].Call.ToString(), StringComparison.Ordinal);
        Assert.Equal(remark, plan.Remarks[0]);
    }

    // 100 MB are 95.4 MiB.
    [Theory]
    [InlineData(20348, @"pktmon start --capture --comp nics --pkt-size 120 --file-name C:\t.etl --file-size 96 --log-mode multi-file")]
    [InlineData(19041, @"pktmon start --etw -c nics -p 120 -f C:\t.etl -s 96 --log-mode multi-file")]
    public void Plan_Split_BeginsNewFiles(int build, string expected)
    {
        CapturePlan plan = new PktmonEngine().Plan(Split with { WithEvents = false }, @"C:\t.etl", build);

        Assert.Equal(expected, plan.Start[^1].Call.ToString());
        Assert.Contains(plan.Remarks, remark => remark.StartsWith("a new file begins when buffers are written", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("pktmon", 19041, null)]
    [InlineData("pktmon", 18363, "begins new files from build 19041 on, and this is 18363: use --engine etw")]
    [InlineData("etw", 17134, null)]
    [InlineData("netsh", 26100, "has no mode that begins new files (filemode is single, circular or append): use --engine pktmon or etw")]
    public void WhyNotSplit_Size_GoesByEngineAndBuild(string engine, int build, string? expected) =>
        Assert.Equal(expected, WindowsEngines.Find(engine)!.WhyNotSplit(isByTime: false, build));

    [Theory]
    [InlineData("pktmon")]
    [InlineData("etw")]
    public void WhyNotSplit_Time_IsRefused(string engine) => Assert.Equal(
        "begins a new file by size alone: give --split a size such as 100mb",
        WindowsEngines.Find(engine)!.WhyNotSplit(isByTime: true, 26100));

    [Fact]
    public void Plan_BuildWithoutPktmon_SaysWhatToDo()
    {
        CaptureException exception = Assert.Throws<CaptureException>(() => Plan("tcp", 17134));
        Assert.Equal("Windows build 17134 has no pktmon, which came with 17763. Use --engine netsh.", exception.Message);
    }

    [Fact]
    public void Plan_Stop_RemovesTheFiltersToo() =>
        Assert.Equal(["pktmon stop", "pktmon filter remove"], Plan("tcp", 26100).Stop.Select(command => command.Call.ToString()));

    [Theory]
    [InlineData("all")]
    [InlineData("port 443 or all", false)]
    [InlineData("tcp", true, "-t TCP")]
    [InlineData("ip6 udp", true, "-d IPv6 -t UDP")]
    [InlineData("port 80,443", true, "-p 80", "-p 443")]
    [InlineData("host 10.0.0.1 host 2001:db8::/32", true, "-i 10.0.0.1 2001:db8::/32")]
    [InlineData("host 10.0.0.0/8 host 10.1.2.3", true, "-i 10.1.2.3")] // one end may be both, and two addresses want two ends
    [InlineData("host 10.1.2.3 host 10.0.0.0/8 host 10.1.0.0/16", true, "-i 10.1.2.3")]
    [InlineData("host 10.0.0.1/8 host 10.0.0.2/8", true, "-i 10.0.0.1/8")]
    [InlineData("host 10.0.0.0/8 host 11.0.0.0/8", true, "-i 10.0.0.0/8 11.0.0.0/8")]
    [InlineData("src host 10.0.0.1 dst host 10.0.0.0/8", false, "-i 10.0.0.1 10.0.0.0/8")]
    [InlineData("dst host 10.0.0.0/8 host 10.1.2.3", false, "-i 10.1.2.3")]
    [InlineData("src port 443 port 443", false, "-p 443")]
    [InlineData("port 443 port 443", true, "-p 443")]
    [InlineData("port 443 port 400-500", true, "-p 443")]
    [InlineData("tcp (host 10.0.0.1 or port 53)", true, "-t TCP -i 10.0.0.1", "-t TCP -p 53")]
    [InlineData("tcp port 8000-8099", false, "-t TCP")]
    [InlineData("port 8000-8099", false)]
    [InlineData("tcp out", false, "-t TCP")]
    [InlineData("src port 443", false, "-p 443")]
    [InlineData("not tcp", false)]
    [InlineData("tcp udp", false)]
    [InlineData("icmp", false)]
    [InlineData("port 1,2,3,4,5,6,7,8,9", false)]
    public void Commands_Match_TakeInAtLeastIt(string match, bool isExact = true, params string[] tests)
    {
        var remarks = new System.Collections.Generic.List<string>();
        PlannedCommand[] commands = [.. PktmonFilter.Commands(MatchParser.Parse(match), remarks)];

        Assert.Equal(tests, commands.Select(command => string.Join(' ', command.Call.Arguments.Skip(3))));
        Assert.Equal(isExact || match.EndsWith("all", StringComparison.Ordinal) ? [] : ["pktmon cannot filter by all of the match: what it cannot "
            + "express is recorded too"], remarks);
    }

    [Theory]
    [InlineData(17134, "netsh", "before build 20348 only netsh records packets and events together")]
    [InlineData(19045, "netsh", "before build 20348 only netsh records packets and events together")]
    [InlineData(20348, "pktmon", "from build 20348 on pktmon records packets and events, and filters by port")]
    [InlineData(28000, "pktmon", "from build 20348 on pktmon records packets and events, and filters by port")]
    public void Make_Auto_GoesByTheBuild(int build, string engine, string reason)
    {
        EngineChoice choice = EngineChoice.Make(EngineChoice.Auto, build);
        Assert.Equal((engine, build, reason), (choice.Engine!.Name, choice.Build, choice.Reason));
    }

    static readonly CaptureSettings Split = new() { Match = new MatchAll(), SplitBytes = 100_000_000 };

    static CapturePlan Plan(string match, int build) => new PktmonEngine().Plan(new() { Match = MatchParser.Parse(match) }, @"C:\t.etl", build);
}
