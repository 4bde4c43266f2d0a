using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Shim.Queue;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>Two hosts on a veth cable; what the near one sends and receives goes through its packet queue.</summary>
[SupportedOSPlatform("linux")]
sealed class QueueLinkLab : ILinkLab
{
    readonly QueueLab _hosts = new();
    readonly QueuePort _port;
    readonly LinkRun _run;

    public QueueLinkLab(bool isIpv6, string match, string[] options)
    {
        FarAddress = IPAddress.Parse(isIpv6 ? QueueLab.PeerAddress6 : QueueLab.PeerAddress);
        _hosts.AddPeer();
        MatchRule rule = MatchParser.Parse(match);
        _port = _hosts.Divert(rule);
        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(2), MaxPacketBytes = ushort.MaxValue, Log = new MemoryStream() };
        _run = new LinkRun(_port, isOpen: true, rule, options, run);
    }

    public IPAddress FarAddress { get; }

    public TimeSpan Patience => NumberedDatagrams.Patience;

    public Socket NearSocket(SocketType type, ProtocolType protocol) => _hosts.NewSocket(FarAddress.AddressFamily, type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => _hosts.NewPeerSocket(FarAddress.AddressFamily, type, protocol);

    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish() => _run.Finish(out _);

    public void Dispose()
    {
        _run.Dispose();
        _port.Dispose();
        _hosts.Dispose();
    }
}
