using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform.Linux;
using TcpDiag.Shim.Queue;
using TcpDiag.Testing;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>Real UDP on the loopback device of a namespace, through NFQUEUE.</summary>
[SupportedOSPlatform("linux")]
public class QueuePortTests
{
    static List<int> Send(QueueLab lab, int count) => Send(lab, count, IPAddress.Loopback);

    static List<int> Send(QueueLab lab, int count, IPAddress address)
    {
        using Socket to = lab.NewSocket(address.AddressFamily);
        using Socket from = lab.NewSocket(address.AddressFamily);
        return NumberedDatagrams.Send(from, to, address, count);
    }

    [RootFact]
    public void Datagrams_OnTheWayOut_AreLostAsListed()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        ShimReport report = lab.While("udp dst port 5001 and host 127.0.0.0/8 out", ["delay 1ms", "loss list:2+5-7"], () => arrived = Send(lab, 10));

        Assert.Equal([1, 3, 4, 8, 9, 10], arrived);
        Assert.Equal((10, 6, 4), (report.Figures.Offered, report.Figures.Forwarded, report.Figures.Dropped));
    }

    [RootFact]
    public void Datagrams_OnTheWayIn_AreReordered()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        lab.While("udp port 5001 in", ["delay 200ms", "reorder in:every:4:replace:1ms"], () => arrived = Send(lab, 8));

        Assert.Equal([4, 8, 1, 2, 3, 5, 6, 7], arrived);
    }

    [RootFact]
    public void Datagrams_Duplicated_ArriveTwice()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        lab.While("udp port 5001 out", ["duplicate every:3"], () => arrived = Send(lab, 7));

        Assert.Equal([1, 2, 3, 3, 4, 5, 6, 6, 7], arrived.Order());
    }

    [RootFact]
    public void Datagrams_Ipv6_AreLostAndDuplicated()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        ShimReport report = lab.While(
            "udp dst port 5001 and host ::/64 out", ["loss list:2", "duplicate every:3"], () => arrived = Send(lab, 7, IPAddress.IPv6Loopback));

        // Six are left after the loss; the third and the sixth of these are sent twice.
        Assert.Equal([1, 3, 4, 4, 5, 6, 7, 7], arrived.Order());
        Assert.Equal((7, 0), (report.Figures.Offered, report.Figures.Lost));
    }

    [RootFact]
    public void Datagrams_OtherFamily_NeverReachTheQueue()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        ShimReport report = lab.While("udp port 5001 ip4", ["loss 100pct"], () => arrived = Send(lab, 3, IPAddress.IPv6Loopback));

        Assert.Equal([1, 2, 3], arrived);
        Assert.Equal((0, 0), (report.Figures.Offered, report.Figures.Passed));
    }

    [RootFact("ip")]
    public void Tcp_ArrivingFromAnotherHost_IsImpairedOnTheWayInOnly()
    {
        using QueueLab lab = new();
        lab.AddPeer();
        using Socket listener = lab.NewStream();
        listener.Bind(new IPEndPoint(IPAddress.Parse(QueueLab.Address), 5001));
        listener.Listen();

        // Closed behind the run: a goodbye that arrives while the shim stops passes untouched.
        using Socket peer = lab.NewPeerStream();
        byte[] sent = new byte[1_000_000];
        new Random(1).NextBytes(sent);
        byte[] received = new byte[sent.Length];
        Socket? connection = null;
        ShimReport report = lab.While(
            "tcp dst port 5001 in", ["delay in:2ms", "loss in:1pct", "seed 5"], () => connection = Transfer(peer, listener, sent, received));
        connection!.Dispose();

        Assert.Equal(sent, received);

        // Packets of 1448 bytes at least, as the kernel segments them for the queue; none of the acknowledgments that leave.
        Assert.InRange(report.Figures.Offered, 690, 1500);
        Assert.InRange(report.Figures.Dropped, 1, 40);
        Assert.Equal(0, report.Figures.Passed);
    }

    // Returns the end that received.
    static Socket Transfer(Socket peer, Socket listener, byte[] sent, byte[] received)
    {
        peer.Connect(listener.LocalEndPoint!);
        Socket connection = listener.Accept();
        Thread sender = new(() => peer.Send(sent));
        sender.Start();
        using NetworkStream stream = new(connection, ownsSocket: false);
        stream.ReadExactly(received);
        sender.Join();
        return connection;
    }

    [RootFact]
    public void Datagrams_Ipv4_QueueOverflows_AreCountedAndPass()
    {
        // Twice what the socket's buffer of 16 MB takes; copies in the kernel are larger than what is sent.
        const int Count = 600;
        using QueueLab lab = new();
        using Socket to = lab.NewSocket();
        using Socket from = lab.NewSocket();
        to.Bind(new IPEndPoint(IPAddress.Loopback, 5001));
        ShimReport report = lab.WhileClosed("udp dst port 5001 in", ["delay 1ms"], () =>
        {
            byte[] datagram = new byte[60_000];
            for (int i = 0; i < Count; i++)
            {
                from.SendTo(datagram, to.LocalEndPoint!);
            }
        });

        Assert.InRange(report.Figures.Bypassed, 1, Count - 1);
        Assert.Equal(Count, report.Figures.Offered + report.Figures.Passed + report.Figures.Bypassed);
        Assert.Contains("packets passed the full queue without being emulated", report.Fault, StringComparison.Ordinal);
    }

    // What comes while a run ends, and until its rules are gone, passes untouched.
    [RootFact]
    public void Datagrams_WhileARunEnds_AllArrive()
    {
        using QueueLab lab = new();
        using DatagramStream stream = new(lab.NewSocket(), lab.NewSocket(), IPAddress.Loopback);
        ShimReport report = lab.While("udp port 5001 in", ["delay 1ms"], () => stream.AwaitMore(1_000));
        (int sent, List<int> arrived) = stream.Finish();

        Assert.Equal(Enumerable.Range(1, sent), arrived.Order());
        Assert.Equal((0, 0), (report.Figures.Lost, report.Figures.Dropped));
    }

    [RootFact]
    public void Datagrams_OtherPort_NeverReachTheQueue()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        ShimReport report = lab.While("udp port 5002-5003 or tcp", ["loss 100pct"], () => arrived = Send(lab, 5));

        Assert.Equal([1, 2, 3, 4, 5], arrived);
        Assert.Equal((0, 0), (report.Figures.Offered, report.Figures.Passed));
    }

    [RootFact]
    public void Rules_GoWithThePort_AndCanBeMadeAgain()
    {
        using QueueLab lab = new();
        List<int> blocked = [];
        lab.While("udp port 5001", ["loss 100pct"], () => blocked = Send(lab, 3));
        List<int> free = Send(lab, 3);
        lab.While("udp port 5001", ["loss 100pct"], () => blocked.AddRange(Send(lab, 3)));

        Assert.Empty(blocked);
        Assert.Equal([1, 2, 3], free);
    }

    [Theory]
    [InlineData("all", 1)]
    [InlineData("tcp port 443", 2)]
    [InlineData("tcp dst port 443 out", 1)]
    [InlineData("port 80 or port 443", 4)]
    [InlineData("host 10.0.0.1 port 443", 4)]
    [InlineData("icmp", 2)]
    [InlineData("not tcp", 1)]
    [InlineData("process curl", 1)]
    [InlineData("host 10.0.0.1 host 10.0.0.2 host 10.0.0.3 host 10.0.0.4 host 10.0.0.5 host 10.0.0.6 host 10.0.0.7", 1)]
    public void Translate_MakesAlternatives(string match, int count) => Assert.Equal(count, QueueFilter.Translate(MatchParser.Parse(match)).Count);

    // From the higher port to the lower one is out, and back is in: each delayed once.
    [RootFact]
    public void Datagrams_ThisHostSendsItself_AreEmulatedOnce()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        ShimReport report = lab.While("udp port 5001", ["delay 1ms", "loss out:list:2", "loss in:list:1"], () => arrived = Send(lab, 5));

        Assert.Equal([1, 3, 4, 5], arrived);
        Assert.Equal((5, 4, 1), (report.Figures.Offered, report.Figures.Forwarded, report.Figures.Dropped));
        Assert.Null(report.Fault);
    }

    [RootFact]
    public void Datagrams_ThisHostSendsItself_NearEndIsAPort_ComeInFromTheOther()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        lab.While("udp port 5001", ["loss out:list:2", "loss in:list:1"], () => arrived = Send(lab, 5), new LoopbackEnd(null, 5001));

        Assert.Equal([2, 3, 4, 5], arrived);
    }

    // Neither hook of a host sees what it forwards; the run says so, and that it is void.
    [RootFact("ip")]
    public void Datagrams_ThisHostForwards_VoidTheRun()
    {
        using MiddleNetwork network = new(isRouted: true);
        ShimReport report = WhileItPasses(network, 79);

        Assert.Equal(
            "3 packets of the match were not emulated, because this machine forwards them: for these are --route and --bridge.", report.Fault);
    }

    // Whether the hooks see what a bridge passes on is a setting of the kernel's. Where they do it counts as forwarded; where not nobody can count it.
    [RootFact("ip", "sysctl")]
    public void Datagrams_ABridgeOfThisHostPasses_VoidTheRun()
    {
        using MiddleNetwork network = new(isRouted: false);
        network.Bridge(isSeen: true);
        ShimReport report = WhileItPasses(network, 80);

        Assert.Equal("3 packets of the match were not emulated, because this machine forwards them: for these are --route and --bridge.", report.Fault);
        Assert.Empty(report.Notes);
    }

    [RootFact("ip", "sysctl")]
    public void Datagrams_ABridgeOfThisHostPassesUnseen_AreTold()
    {
        using MiddleNetwork network = new(isRouted: false);
        network.Bridge(isSeen: false);
        ShimReport report = WhileItPasses(network, 81);

        Assert.Equal("No packet of the match came by: nothing was emulated.", report.Fault);
        Assert.Equal(
            ["What a bridge of this machine passes between eth1, eth2 is neither impaired nor counted: for that is --bridge, in its place."], report.Notes);
    }

    [RootFact]
    public void Datagrams_None_VoidTheRun()
    {
        using QueueLab lab = new();
        ShimReport report = lab.While("udp port 5001", ["loss 100pct"], () => { });

        Assert.Equal("No packet of the match came by: nothing was emulated.", report.Fault);
    }

    // A machine in the middle passes three datagrams on, though it is to lose all.
    static ShimReport WhileItPasses(MiddleNetwork network, ushort queue)
    {
        MatchRule match = MatchParser.Parse("udp port 5001");
        using QueuePort port = NetworkNamespace.Run(network.Middle, () => new QueuePort(queue, match));
        using LinkRun run = new(port, isOpen: true, match, ["loss 100pct"], new ShimOptions { TimeLimit = TimeSpan.FromSeconds(60) });
        using Socket to = NetworkNamespace.Run(network.Server, () => new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        using Socket from = NetworkNamespace.Run(network.Client, () => new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        List<int> arrived = NumberedDatagrams.Send(from, to, IPAddress.Parse(network.ServerAddress), 3);
        ShimReport report = run.Stop();

        Assert.Equal([1, 2, 3], arrived);
        return report;
    }
}
