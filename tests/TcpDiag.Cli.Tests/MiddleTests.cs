using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading;
using TcpDiag.Cli.Tests.Faults;
using TcpDiag.Shim.Tests;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// A machine in the middle of a path, measured at both ends by ping, iperf3 and tcpdump: <c>shim run --bridge</c> between two interfaces of one network, and
/// <c>--route</c> between those of a router.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed partial class MiddleTests : IDisposable
{
    // Three UDP datagrams of VLAN 7 to all.
    const string TaggedSender = """
        import socket, struct
        header = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 32, 0, 0, 64, 17, 0, bytes([10, 78, 0, 1]), bytes([10, 78, 0, 2]))
        total = sum(struct.unpack('!10H', header))
        checksum = 0xFFFF - (total % 0xFFFF)
        packet = header[:10] + struct.pack('!H', checksum) + header[12:] + struct.pack('!HHHH', 4000, 5001, 12, 0) + b'abcd'
        frame = b'\xff' * 6 + bytes([2, 0, 0, 0, 0, 9]) + struct.pack('!HHH', 0x8100, 7, 0x0800) + packet
        s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        s.bind(('e0', 0))
        for n in range(3): s.send(frame)
        """;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-middle-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [RootFact("ip", "ping")]
    public void Bridge_Delay_IsWhatPingMeasures() => CheckDelay(isRouted: false);

    [RootFact("ip", "ping")]
    public void Route_Delay_IsWhatPingMeasures() => CheckDelay(isRouted: true);

    [RootFact("ip", "iperf3", "tcpdump")]
    public void Bridge_LossAndRate_AreWhatTheEndsMeasure() => CheckLossAndRate(isRouted: false);

    [RootFact("ip", "iperf3", "tcpdump")]
    public void Route_LossAndRate_AreWhatTheEndsMeasure() => CheckLossAndRate(isRouted: true);

    // Segments that the sender left to the network card come apart in the middle, none longer than a cable takes.
    [RootFact("ip", "iperf3", "tcpdump")]
    public void Bridge_TcpWithOffloads_ArrivesInWholeSegments()
    {
        using MiddleNetwork network = new(isRouted: false);
        using Process shim = StartShim(network, "--bridge", "--delay", "1ms");
        using Process recorder = Record(network.Server, "tcp port 5201 and dst host " + network.ServerAddress, "server.pcap");
        JsonElement flow = Flow(network, "-t", "1");
        JsonElement report = EndShim(shim);
        Stop(recorder);

        Assert.True(flow.GetProperty("sum_received").GetProperty("bytes").GetInt64() > 1_000_000);
        Assert.Equal(0, report.GetProperty("figures").GetProperty("lost").GetInt64());
        string[] lines = [.. ExternalProgram.Run("tcpdump", "-nv", "-r", Path.Join(_folder, "server.pcap")).Lines];
        Assert.Contains(lines, line => line.Contains("length 1500)", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, line => line.Contains("incorrect", StringComparison.Ordinal) || LengthOf(line) > 1500);
    }

    // The system takes a tag out of a frame; it is put back.
    [RootFact("ip", "tcpdump", "python3")]
    public void Bridge_VlanTags_AreKeptAndTheirPacketsEmulated()
    {
        using MiddleNetwork network = new(isRouted: false);
        using Process shim = StartShim(network, "--bridge", "--match", "udp", "port", "5001", "--loss", "out:list:2");
        using Process recorder = Record(network.Server, "vlan 7 and udp", "server.pcap");
        ExternalProgram.Run("ip", "netns", "exec", network.Client, "python3", "-c", TaggedSender);
        JsonElement report = EndShim(shim);
        Stop(recorder);

        Assert.Equal(2, CountPackets("server.pcap"));
        Assert.Equal(1, report.GetProperty("figures").GetProperty("dropped").GetInt64());
    }

    // From before the first line of our code to packets under way: nothing is there afterwards that was not before.
    [RootFact("ip", "nft", "ping")]
    public void Killed_AtAnyMoment_LeavesRoutesBridgesAndRules()
    {
        foreach (bool isRouted in new[] { false, true })
        {
            using MiddleNetwork network = new(isRouted);
            string before = StateOf(network);
            foreach (int moment in new[] { 0, 80, 160, 300, 1000 })
            {
                using KilledProcess shim = new(
                    network.Middle, "shim", "serve", isRouted ? "--route" : "--bridge", MiddleNetwork.Near, MiddleNetwork.Far, "--delay", "10s", "--for",
                        "50s");
                shim.KillAfter(moment);
                Assert.True(
                    SpinWait.SpinUntil(() => string.Equals(before, StateOf(network), StringComparison.Ordinal), TimeSpan.FromSeconds(5)),
                    FormattableString.Invariant($"killed after {moment} ms: {StateOf(network)}"));
                Assert.Equal(isRouted, CanPing(network, withPatience: isRouted)); // a router goes on, a bridge was the process
            }
        }
    }

    static void CheckDelay(bool isRouted)
    {
        using MiddleNetwork network = new(isRouted);
        using Process shim = StartShim(network, isRouted ? "--route" : "--bridge", "--delay", "out:15ms", "--delay", "in:25ms");
        ProgramResult ping = ExternalProgram.Run("ip", "netns", "exec", network.Client, "ping", "-c", "10", "-i", "0.1", network.ServerAddress);
        JsonElement report = EndShim(shim);

        // Of ten one at least is not held up by a busy machine for as long again.
        Assert.InRange(double.Parse(Minimum().Match(ping.Output).Groups["ms"].Value, CultureInfo.InvariantCulture), 40, 60);
        Assert.True(report.GetProperty("figures").GetProperty("offered").GetInt64() >= 20);
    }

    void CheckLossAndRate(bool isRouted)
    {
        using MiddleNetwork network = new(isRouted);
        using Process shim = StartShim(
            network, isRouted ? "--route" : "--bridge", "--match", "udp", "out", "--rate", "out:20mbit", "--buffer", "100pkt", "--loss", "out:every:50");
        string filter = $"udp and src host {network.ClientAddress} and greater 1000";
        using Process sent = Record(network.Client, filter, "client.pcap");
        using Process received = Record(network.Server, filter, "server.pcap");
        JsonElement flow = Flow(network, "-u", "-b", "40M", "-l", "1400", "-t", "2");
        JsonElement report = EndShim(shim);
        Stop(sent);
        Stop(received);

        // 20 Mbit/s of IP packets are 19.6 of their payload, while iperf3 sends; what is queued then comes later.
        double rate = flow.GetProperty("sum_received").GetProperty("bits_per_second").GetDouble();
        Assert.InRange(rate, 17e6, 20.2e6);
        long dropped = report.GetProperty("figures").GetProperty("dropped").GetInt64();
        Assert.Equal(dropped, CountPackets("client.pcap") - CountPackets("server.pcap"));
        Assert.True(dropped >= CountPackets("client.pcap") / 50);
    }

    static Process StartShim(MiddleNetwork network, string place, params string[] options)
    {
        string[] command =
        [
            "netns", "exec", network.Middle, "dotnet", Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), "shim", "serve", place, MiddleNetwork.Near,
            MiddleNetwork.Far, "--for", "50s", "--limit", "10s", .. options,
        ];
        Process shim = Start("ip", command);
        Assert.NotNull(shim.StandardOutput.ReadLine()); // it diverts packets from here on
        return shim;
    }

    static JsonElement EndShim(Process shim)
    {
        shim.StandardInput.Close();
        string last = shim.StandardOutput.ReadToEnd().TrimEnd().Split('\n')[^1];
        shim.WaitForExit();
        return JsonDocument.Parse(last).RootElement;
    }

    Process Record(string place, string filter, string file)
    {
        Process recorder = Start(
            "ip", ["netns", "exec", place, "tcpdump", "--immediate-mode", "-U", "-Z", "root", "-i", "e0", "-s", "128", "-B", "16384", "-w",
                Path.Join(_folder, file), .. filter.Split(' ')]);
        AwaitLine(recorder.StandardError, "listening on");
        return recorder;
    }

    static void Stop(Process recorder)
    {
        ExternalProgram.Run("kill", "-INT", recorder.Id.ToString(CultureInfo.InvariantCulture));
        recorder.StandardError.ReadToEnd();
        recorder.WaitForExit();
    }

    static JsonElement Flow(MiddleNetwork network, params string[] options)
    {
        using Process server = Start("ip", ["netns", "exec", network.Server, "iperf3", "-s", "-1", "--forceflush"]);
        AwaitLine(server.StandardOutput, "listening");
        ProgramResult client = ExternalProgram.Run("ip", ["netns", "exec", network.Client, "iperf3", "-c", network.ServerAddress, "-J", .. options]);
        server.WaitForExit();
        return JsonDocument.Parse(client.Output).RootElement.GetProperty("end");
    }

    static void AwaitLine(StreamReader from, string words)
    {
        string? line;
        while ((line = from.ReadLine()) is not null && !line.Contains(words, StringComparison.Ordinal))
        {
        }

        Assert.NotNull(line);
    }

    int CountPackets(string file) => ExternalProgram.Run("tcpdump", "-n", "-r", Path.Join(_folder, file)).Lines.Count;

    static int LengthOf(string line) =>
        Length().Match(line) is { Success: true } match ? int.Parse(match.Groups["bytes"].Value, CultureInfo.InvariantCulture) : 0;

    static bool CanPing(MiddleNetwork network, bool withPatience) => ExternalProgram.TryRun(
        "ip", ["netns", "exec", network.Client, "ping", "-c", "1", "-W", withPatience ? "5" : "0.2", network.ServerAddress]).ExitCode == 0;

    static string StateOf(MiddleNetwork network) => ExternalProgram.Run(
        "ip", "netns", "exec", network.Middle, "sh", "-c",
        "ip -o link | sed 's/ qdisc.*//'; ip route; ip -6 route; nft list ruleset; cat /proc/net/netfilter/nfnetlink_queue; sysctl net.ipv4.conf.eth1 "
            + "net.ipv4.conf.eth2").Output;

    static Process Start(string program, string[] arguments) => Process.Start(new ProcessStartInfo(program, arguments)
    {
        UseShellExecute = false,
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
        RedirectStandardError = true,
    })!;

    [GeneratedRegex("min/avg/max/mdev = (?<ms>[0-9.]+)/", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Minimum();

    [GeneratedRegex("length (?<bytes>[0-9]+)\\)", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Length();
}
