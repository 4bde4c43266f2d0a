using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Capture.Watching;
using TcpDiag.Testing;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Watching;

/// <summary>Real connections over loopback, watched as the user would.</summary>
public sealed class SocketReaderTests
{
    [LinuxFact]
    public void Read_SenderWhosePeerDoesNotRead_IsLimitedByTheReceiveWindow()
    {
        using var pair = new LoopbackPair(IPAddress.Loopback);
        (int port, Socket client, Socket server) = (pair.Port, pair.Client, pair.Server);
        FillUp(client);
        using ConnectionMonitor watch = ConnectionMonitor.Open(MatchParser.Parse($"dst port {port}"));
        WatchedConnection connection = Wait(watch, port, candidate => candidate.Limit == WatchLimit.ReceiveWindow && candidate.ProcessId is not null);
        Assert.True(connection.LostUs > 0);
        Assert.Equal((uint)Environment.ProcessId, connection.ProcessId);
        Assert.True(connection is { CwndBytes: > 0, SrttUs: > 0 });
    }

    [LinuxFact]
    public void Read_Transfer_IsCountedAtBothEnds()
    {
        const int bytes = 1 << 20;
        using var pair = new LoopbackPair(IPAddress.IPv6Loopback);
        (int port, Socket client, Socket server) = (pair.Port, pair.Client, pair.Server);
        using ConnectionMonitor watch = ConnectionMonitor.Open(MatchParser.Parse($"port {port}"));
        Assert.Equal(2, watch.Read().Count);
        var reader = new Thread(() => ReadAll(server, bytes));
        reader.Start();
        client.Send(new byte[bytes]);
        reader.Join();
        IReadOnlyList<WatchedConnection> after = watch.Read();
        double interval = watch.Interval.TotalSeconds;
        double sent = after.Single(connection => connection.Remote.Port == port).SendBitsPerSecond!.Value * interval / 8;
        double received = after.Single(connection => connection.Local.Port == port).ReceiveBitsPerSecond!.Value * interval / 8;
        Assert.Equal((bytes, bytes), ((long)Math.Round(sent), (long)Math.Round(received)));
    }

    static void FillUp(Socket client)
    {
        client.Blocking = false;
        byte[] data = new byte[1 << 16];
        SocketError error = SocketError.Success;
        while (error == SocketError.Success)
        {
            client.Send(data, 0, data.Length, SocketFlags.None, out error);
        }

        Assert.Equal(SocketError.WouldBlock, error);
    }

    static void ReadAll(Socket server, int bytes)
    {
        byte[] buffer = new byte[1 << 16];
        while (bytes > 0)
        {
            bytes -= server.Receive(buffer);
        }
    }

    // Owners are found in the background.
    static WatchedConnection Wait(ConnectionMonitor watch, int port, Predicate<WatchedConnection> isThere)
    {
        using var pause = new ManualResetEvent(initialState: false);
        for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < Patience.Limit; pause.WaitOne(TimeSpan.FromMilliseconds(50)))
        {
            if (watch.Read().FirstOrDefault(candidate => candidate.Remote.Port == port && isThere(candidate)) is { } found)
            {
                return found;
            }
        }

        throw new TimeoutException("the connection was not seen as it should be");
    }
}

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
