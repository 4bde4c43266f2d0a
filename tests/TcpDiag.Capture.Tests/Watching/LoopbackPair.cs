using System;
using System.Net;
using System.Net.Sockets;

namespace TcpDiag.Capture.Tests.Watching;

/// <summary>A connection over loopback, in the network namespace of the thread that makes it.</summary>
sealed class LoopbackPair : IDisposable
{
    readonly Socket _listener;

    public LoopbackPair(IPAddress loopback)
    {
        _listener = new Socket(loopback.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        _listener.Bind(new IPEndPoint(loopback, 0));
        _listener.Listen();
        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        Client = new Socket(loopback.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        Client.Connect(loopback, Port);
        Server = _listener.Accept();
    }

    public int Port { get; }

    public Socket Client { get; }

    public Socket Server { get; }

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
        _listener.Dispose();
    }
}
