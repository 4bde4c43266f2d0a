using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using TcpDiag.Shim.Linux;

namespace TcpDiag.ShimBench;

/// <summary>The same traffic through the kernel alone: near and far end joined by a forwarding namespace and two veth cables.</summary>
[SupportedOSPlatform("linux")]
sealed class ForwardingBench : IDisposable
{
    static readonly string[] Places = ["tdkn", "tdkr", "tdkf"];

    readonly Process _server;

    public ForwardingBench()
    {
        foreach (string place in Places)
        {
            NetworkNamespace.Delete(place);
            NetworkNamespace.Create(place);
        }

        Ip("link add n0 netns tdkn type veth peer name n1 netns tdkr");
        Ip("link add f0 netns tdkf type veth peer name f1 netns tdkr");
        SetUp("tdkn", "n0", "10.79.1.1");
        SetUp("tdkr", "n1", "10.79.1.2");
        SetUp("tdkf", "f0", "10.79.2.1");
        SetUp("tdkr", "f1", "10.79.2.2");
        Ip("-n tdkn route add default via 10.79.1.2");
        Ip("-n tdkf route add default via 10.79.2.2");
        Ip("netns exec tdkr sysctl -qw net.ipv4.ip_forward=1");
        _server = Start("netns exec tdkf iperf3 -s");
    }

    /// <summary>CPU of the whole machine per packet, in microseconds.</summary>
    public static double Measure(string traffic)
    {
        double before = Bench.BusyMicroseconds();
        using Process client = Start($"netns exec tdkn iperf3 -c 10.79.2.1 -J {traffic}");
        string json = client.StandardOutput.ReadToEnd();
        client.WaitForExit();
        double busy = Bench.BusyMicroseconds() - before;
        using JsonDocument document = JsonDocument.Parse(json);
        return busy / document.RootElement.GetProperty("end").GetProperty("sum").GetProperty("packets").GetDouble();
    }

    public void Dispose()
    {
        _server.Kill(entireProcessTree: true);
        _server.WaitForExit();
        _server.Dispose();
        Array.ForEach(Places, NetworkNamespace.Delete);
    }

    static void SetUp(string place, string device, string address)
    {
        Ip(string.Create(CultureInfo.InvariantCulture, $"-n {place} addr add {address}/24 dev {device}"));
        Ip(string.Create(CultureInfo.InvariantCulture, $"-n {place} link set {device} up"));
    }

    static void Ip(string arguments)
    {
        using Process process = Start(arguments);
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"ip {arguments} ended with {process.ExitCode}.");
        }
    }

    static Process Start(string arguments) =>
        Process.Start(new ProcessStartInfo("ip", arguments) { RedirectStandardOutput = true, UseShellExecute = false })
        ?? throw new InvalidOperationException("ip did not start.");
}
