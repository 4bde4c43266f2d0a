using System;
using System.Net;
using System.Net.Sockets;
using System.Threading;

namespace TcpDiag.Cli.Tests;

/// <summary>Something to record: connections to a port of this machine on which nobody listens, one after the other until disposed.</summary>
sealed class RefusedConnections : IDisposable
{
    /// <summary>The discard service, which nothing here offers.</summary>
    public const int Port = 9;

    readonly Thread _thread;
    volatile bool _isOver;

    public RefusedConnections()
    {
        _thread = new Thread(Connect) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>Tries one connection; its packets have passed when this returns.</summary>
    public static void MakeOne()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Connect(IPAddress.Loopback, Port);
        }
        catch (SocketException)
        {
            // As it should be.
        }
    }

    public void Dispose()
    {
        _isOver = true;
        _thread.Join();
    }

    void Connect()
    {
        while (!_isOver)
        {
            MakeOne();
            Thread.Yield();
        }
    }
}
