using System;
using System.Diagnostics;
using System.Runtime.Versioning;
using TcpDiag.Platform.Linux;

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

        Programs.Ip("link add n0 netns tdkn type veth peer name n1 netns tdkr");
        Programs.Ip("link add f0 netns tdkf type veth peer name f1 netns tdkr");
        SetUp("tdkn", "n0", "10.79.1.1");
        SetUp("tdkr", "n1", "10.79.1.2");
        SetUp("tdkf", "f0", "10.79.2.1");
        SetUp("tdkr", "f1", "10.79.2.2");
        Programs.Ip("-n tdkn route add default via 10.79.1.2");
        Programs.Ip("-n tdkf route add default via 10.79.2.2");
        Programs.Ip("netns exec tdkr sysctl -qw net.ipv4.ip_forward=1");
        _server = Iperf.Serve("tdkf");
    }

    /// <summary>Processor time of the whole machine per datagram.</summary>
    public static Machine Measure(string traffic)
    {
        Machine before = Machine.Read();
        long packets = Iperf.Run("tdkn", "10.79.2.1", traffic).Packets;
        Machine spent = Machine.Read().Since(before);
        return spent.Each(packets);
    }

    public void Dispose()
    {
        Programs.Stop(_server);
        Array.ForEach(Places, NetworkNamespace.Delete);
    }

    static void SetUp(string place, string device, string address)
    {
        Programs.Ip($"-n {place} addr add {address}/24 dev {device}");
        Programs.Ip($"-n {place} link set {device} up");
    }
}
