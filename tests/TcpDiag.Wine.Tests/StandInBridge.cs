using System;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Platform.Linux;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Tests;
using TcpDiag.Shim.Tun;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// A cable between two namespaces, or between two addresses of one. While a shim under Wine, at its far end, has its stand-in for WinDivert open, all packets
/// go through it: to it the far host is its own. At other times they go straight, as they do where no driver diverts.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class StandInBridge : IDisposable
{
    const int Interface = 5;
    const int LookMicroseconds = 20_000;
    const long LookNs = 1_000_000;

    // Of an IPv4 packet (RFC 791 §3.1).
    const int SourceOffset = 12;
    const int SourceBytes = 4;

    readonly TunLink _link;
    readonly Func<LinkDirection, DivertAddress> _toAddress;
    readonly Func<StandInPacket, LinkDirection> _toDirection;
    readonly Socket _listener;
    readonly ConcurrentQueue<string> _notes = new();
    readonly Thread _taker;
    readonly Thread _accepter;
    readonly byte[] _packet = new byte[ushort.MaxValue];
    StandInConnection? _connection;
    volatile bool _isOver;

    public StandInBridge(LinkNamespaces hosts)
        : this(
            hosts.FarName,
            hosts.Link,
            direction => new() { IsOutbound = direction == LinkDirection.In, HasChecksums = true, Interface = Interface },
            packet => packet.Address.IsOutbound ? LinkDirection.In : LinkDirection.Out)
    {
    }

    StandInBridge(string place, TunLink link, Func<LinkDirection, DivertAddress> toAddress, Func<StandInPacket, LinkDirection> toDirection)
    {
        _link = link;
        _toAddress = toAddress;
        _toDirection = toDirection;
        Socket? listener = null;
        NetworkNamespace.Run(place, () => listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        _listener = listener!;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        _taker = new Thread(Take) { IsBackground = true };
        _taker.Start();
        _accepter = new Thread(Accept) { IsBackground = true };
        _accepter.Start();
    }

    /// <summary>What a machine sends to itself: to the driver all of it leaves, and only the source tells the way.</summary>
    public static StandInBridge OfOwnEnds(OwnEndsNetwork network) => new(
        network.Name,
        network.Link,
        _ => new() { IsOutbound = true, IsLoopback = true, HasChecksums = true, Interface = Interface },
        packet => packet.Bytes.AsSpan(SourceOffset, SourceBytes).SequenceEqual(network.Sender.GetAddressBytes()) ? LinkDirection.Out : LinkDirection.In);

    /// <summary>Where stand-ins find it: in the far namespace.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <summary>What the stand-ins told.</summary>
    public string[] Notes => [.. _notes];

    public void Dispose()
    {
        _isOver = true;
        _taker.Join();
        _accepter.Join();
        _listener.Dispose();
    }

    void Accept()
    {
        while (!_isOver)
        {
            if (!_listener.Poll(LookMicroseconds, SelectMode.SelectRead))
            {
                continue;
            }

            using StandInConnection connection = new(_listener.Accept(), GiveBack, _notes.Enqueue);
            Volatile.Write(ref _connection, connection);
            connection.Join();
            Volatile.Write(ref _connection, null);
        }
    }

    void Take()
    {
        while (!_isOver)
        {
            _link.Wait(LookNs);
            for (int length = _link.Receive(_packet, out PacketOrigin origin); length > 0; length = _link.Receive(_packet, out origin))
            {
                Pass(_packet.AsSpan(0, length), in origin);
            }
        }
    }

    void Pass(ReadOnlySpan<byte> packet, in PacketOrigin origin)
    {
        try
        {
            if (Volatile.Read(ref _connection) is { } connection)
            {
                DivertAddress address = _toAddress(origin.Direction) with { IsIpv6 = packet[0] >> 4 == 6 };
                connection.Send(packet, in address);
                return;
            }
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            // The shim has just ended.
        }

        _link.Complete(packet, in origin, isFirst: true);
    }

    void GiveBack(StandInPacket packet) =>
        _link.Complete(packet.Bytes, new PacketOrigin(_toDirection(packet)), isFirst: true);
}
