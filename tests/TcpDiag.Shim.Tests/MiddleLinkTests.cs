using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Platform.Linux;
using TcpDiag.Shim.Bridge;
using TcpDiag.Shim.Queue;
using TcpDiag.Testing;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>The suite of links through a machine in the middle that passes frames.</summary>
[SupportedOSPlatform("linux")]
public class BridgeLinkTests : LinkConformance
{
    private protected override ILinkLab NewLink(bool isIpv6, string match, params string[] options) =>
        new MiddleLinkLab(isRouted: false, isIpv6, match, options);

    [RootFact("ip")]
    public void Bridge_OfOneInterfaceOrOneThatIsDown_SaysWhatHelps()
    {
        using MiddleNetwork network = new(isRouted: false);
        ExternalProgram.Run("ip", "-n", network.Middle, "link", "set", MiddleNetwork.Far, "down");

        Assert.Equal("--bridge: eth2 is down: ip link set eth2 up", Refusal(network, MiddleNetwork.Near, MiddleNetwork.Far));
        Assert.Equal("--bridge: expected two interfaces, found eth1 twice.", Refusal(network, MiddleNetwork.Near, MiddleNetwork.Near));
        Assert.Equal("--bridge: no interface 'eth9' here. `ip link` lists them.", Refusal(network, "eth9", MiddleNetwork.Near));
        Assert.Equal("--bridge: lo is no Ethernet interface. Use --route.", Refusal(network, "lo", MiddleNetwork.Near));
    }

    [RootFact("ip")]
    public void Bridge_OfAnInterfaceOfTheSystemsBridge_IsRefused()
    {
        using MiddleNetwork network = new(isRouted: false);
        ExternalProgram.Run("ip", "-n", network.Middle, "link", "add", "br0", "type", "bridge");
        ExternalProgram.Run("ip", "-n", network.Middle, "link", "set", MiddleNetwork.Far, "master", "br0");

        Assert.Equal(
            "--bridge: eth2 belongs to a bridge or bond of the system's, which would pass its packets too: ip link set eth2 nomaster",
            Refusal(network, MiddleNetwork.Near, MiddleNetwork.Far));
    }

    static string Refusal(MiddleNetwork network, string near, string far) => NetworkNamespace.Run(
        network.Middle, () => Assert.Throws<ShimException>(() => new BridgePort(near, far)).Message);
}

/// <summary>The suite of links through a router in the middle.</summary>
[SupportedOSPlatform("linux")]
public class RouteLinkTests : LinkConformance
{
    private protected override ILinkLab NewLink(bool isIpv6, string match, params string[] options) =>
        new MiddleLinkLab(isRouted: true, isIpv6, match, options);

    [RootFact("ip")]
    public void Route_WhereNothingIsForwarded_SaysWhatHelps()
    {
        using MiddleNetwork network = new(isRouted: true);
        network.Forward(isOn: false);
        ShimException refused = NetworkNamespace.Run(
            network.Middle,
            () => Assert.Throws<ShimException>(() => QueuePort.ForRoute(78, new MatchAll(), MiddleNetwork.Near, MiddleNetwork.Far)));

        Assert.Equal(
            "--route: this machine forwards nothing between eth1 and eth2. sysctl -w net.ipv4.conf.eth1.forwarding=1 net.ipv4.conf.eth2.forwarding=1, "
            + "or --bridge, which needs no addresses.",
            refused.Message);
    }
}

/// <summary>A client and a server with a machine in the middle whose shim emulates the path between them.</summary>
[SupportedOSPlatform("linux")]
sealed class MiddleLinkLab : ILinkLab
{
    const ushort Queue = 78;

    readonly MiddleNetwork _network;
    readonly IPacketPort _port;
    readonly LinkRun _run;

    public MiddleLinkLab(bool isRouted, bool isIpv6, string match, string[] options)
    {
        _network = new MiddleNetwork(isRouted);
        FarAddress = IPAddress.Parse(isIpv6 ? _network.ServerAddress6 : _network.ServerAddress);
        MatchRule rule = MatchParser.Parse(match);
        _port = NetworkNamespace.Run<IPacketPort>(_network.Middle, () => isRouted
            ? QueuePort.ForRoute(Queue, rule, MiddleNetwork.Near, MiddleNetwork.Far)
            : new BridgePort(MiddleNetwork.Near, MiddleNetwork.Far));
        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(2), MaxPacketBytes = ushort.MaxValue, Log = new MemoryStream() };
        _run = new LinkRun(_port, isOpen: true, rule, options, run);
    }

    public IPAddress FarAddress { get; }

    public TimeSpan Patience => NumberedDatagrams.Patience;

    public Socket NearSocket(SocketType type, ProtocolType protocol) => NewSocket(_network.Client, type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => NewSocket(_network.Server, type, protocol);

    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish() => _run.Finish(out _);

    public void Dispose()
    {
        _run.Dispose();
        _port.Dispose();
        _network.Dispose();
    }

    Socket NewSocket(string place, SocketType type, ProtocolType protocol) =>
        NetworkNamespace.Run(place, () => new Socket(FarAddress.AddressFamily, type, protocol));
}
