using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Tests;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// Two network namespaces; what either sends goes through a TUN device to the stand-in for WinDivert, through the win-x64 shim, and to the other. To the shim
/// the near one is its own host: what comes from there leaves, what goes there arrives, at interface 5.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class WineLinkLab : ILinkLab
{
    const int Interface = 5;
    const long LookNs = 20_000_000;

    readonly LinkNamespaces _hosts;
    readonly StandInNetwork _network;
    readonly Thread _sender;
    readonly byte[] _packet = new byte[ushort.MaxValue];
    volatile bool _isOver;

    public WineLinkLab(bool isIpv6, string match, string[] options)
    {
        _hosts = new LinkNamespaces(isIpv6);
        _network = StandInNetwork.Open(match, options, GiveBack);
        _sender = new Thread(Take) { IsBackground = true };
        _sender.Start();
    }

    public IPAddress FarAddress => _hosts.FarAddress;

    // Three processes and Wine's server take turns on every packet.
    public TimeSpan Patience => TimeSpan.FromSeconds(3);

    public Socket NearSocket(SocketType type, ProtocolType protocol) => _hosts.NearSocket(type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => _hosts.FarSocket(type, protocol);

    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish()
    {
        EndTaking();
        return _network.Finish();
    }

    public void Dispose()
    {
        EndTaking();
        _network.Dispose();
        _hosts.Dispose();
    }

    // Nothing is sent to a shim that has ended.
    void EndTaking()
    {
        _isOver = true;
        _sender.Join();
    }

    void Take()
    {
        bool isLast;
        do
        {
            // Asked before taking: what was sent before the end is taken.
            isLast = _isOver;
            TakeAll();
            _hosts.Link.Wait(isLast ? 0 : LookNs);
        }
        while (!isLast);
    }

    void TakeAll()
    {
        for (int length = _hosts.Link.Receive(_packet, out PacketOrigin origin); length > 0; length = _hosts.Link.Receive(_packet, out origin))
        {
            DivertAddress address = new()
            {
                IsOutbound = origin.Direction == LinkDirection.Out,
                IsIpv6 = _packet[0] >> 4 == 6,
                HasChecksums = true,
                Interface = Interface
            };
            _network.Send(_packet.AsSpan(0, length), in address);
        }
    }

    void GiveBack(StandInPacket packet) =>
        _hosts.Link.Complete(packet.Bytes, new PacketOrigin(packet.Address.IsOutbound ? LinkDirection.Out : LinkDirection.In), isFirst: true);
}
