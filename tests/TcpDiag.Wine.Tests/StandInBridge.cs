using System;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Linux;
using TcpDiag.Shim.Tests;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// A cable between two namespaces. While a shim under Wine, in the far one, has its stand-in for WinDivert open, all packets go through it: to it the far host is its own.
/// At other times they go straight, as they do where no driver diverts.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class StandInBridge : IDisposable
{
    const int Interface = 5;
    const int LookMicroseconds = 20_000;
    const long LookNs = 1_000_000;

    readonly LinkNamespaces _hosts;
    readonly Socket _listener;
    readonly ConcurrentQueue<string> _notes = new();
    readonly Thread _taker;
    readonly Thread _accepter;
    readonly byte[] _packet = new byte[ushort.MaxValue];
    StandInConnection? _connection;
    volatile bool _isOver;

    public StandInBridge(LinkNamespaces hosts)
    {
        _hosts = hosts;
        Socket? listener = null;
        NetworkNamespace.Run(hosts.FarName, () => listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        _listener = listener!;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        _taker = new Thread(Take) { IsBackground = true };
        _taker.Start();
        _accepter = new Thread(Accept) { IsBackground = true };
        _accepter.Start();
    }

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
            _hosts.Link.Wait(LookNs);
            for (int length = _hosts.Link.Receive(_packet, out PacketOrigin origin); length > 0; length = _hosts.Link.Receive(_packet, out origin))
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
                DivertAddress address = new() { IsOutbound = origin.Direction == LinkDirection.In, IsIpv6 = packet[0] >> 4 == 6, HasChecksums = true, Interface = Interface };
                connection.Send(packet, in address);
                return;
            }
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            // The shim has just ended.
        }

        _hosts.Link.Complete(packet, in origin, isFirst: true);
    }

    void GiveBack(StandInPacket packet) =>
        _hosts.Link.Complete(packet.Bytes, new PacketOrigin(packet.Address.IsOutbound ? LinkDirection.In : LinkDirection.Out), isFirst: true);
}
