using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Store.Tests.Servers;

/// <summary>Carries connections to a server, and cuts half of them at a byte of either direction that chance chooses.</summary>
sealed class CuttingProxy : IDisposable
{
    readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    readonly CancellationTokenSource _end = new();
    readonly Random _random;
    readonly int _target;
    readonly Task _accepting;
    int _cuts;

    public CuttingProxy(int target, int seed)
    {
        _target = target;
        _random = new(seed);
        _listener.Start();
        _accepting = Task.Run(AcceptAsync);
    }

    /// <summary>Where it listens.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>How many connections it has cut.</summary>
    public int Cuts => _cuts;

    public void Dispose()
    {
        _end.Cancel();
        _listener.Stop();
        _accepting.Wait();
        _end.Dispose();
    }

    async Task AcceptAsync()
    {
        var running = new List<Task>();
        try
        {
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync(_end.Token);
                int fate = _random.Next(4); // 0 and 1 are cut, on the way there and on the way back
                int after = _random.Next(1, 12_000);
                running.Add(CarryAsync(client, fate == 0 ? after : int.MaxValue, fate == 1 ? after / 8 : int.MaxValue));
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            await Task.WhenAll(running);
        }
    }

    async Task CarryAsync(TcpClient client, int there, int back)
    {
        using TcpClient server = new();
        using (client)
        {
            await server.ConnectAsync(IPAddress.Loopback, _target, _end.Token);
            using CancellationTokenSource cut = CancellationTokenSource.CreateLinkedTokenSource(_end.Token);
            await Task.WhenAny(CopyAsync(client, server, there, cut), CopyAsync(server, client, back, cut));
            await cut.CancelAsync();
            client.LingerState = new(enable: true, 0); // a reset, as of a cable that was pulled and put back
        }
    }

    async Task CopyAsync(TcpClient from, TcpClient to, int limit, CancellationTokenSource cut)
    {
        byte[] buffer = new byte[4096];
        long left = limit;
        try
        {
            int read;
            while ((read = await from.GetStream().ReadAsync(buffer, cut.Token)) > 0)
            {
                await to.GetStream().WriteAsync(buffer.AsMemory(0, (int)Math.Min(read, left)), cut.Token);
                left -= read;
                if (left <= 0)
                {
                    Interlocked.Increment(ref _cuts);
                    return;
                }
            }
        }
        catch (Exception exception) when (exception is System.IO.IOException or OperationCanceledException or ObjectDisposedException)
        {
            // Either end is gone.
        }
    }
}
