using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>Numbered datagrams that are sent and received without a pause until the end. Few are under way at a time, so no buffer overflows.</summary>
sealed class DatagramStream : IDisposable
{
    const int MaxUnderWay = 64;

    readonly Socket _from;
    readonly Socket _to;
    readonly Task<int> _sending;
    readonly Task<List<int>> _receiving;
    volatile bool _isOver;
    int _received;

    public DatagramStream(Socket from, Socket to, IPAddress address)
    {
        _from = from;
        _to = to;
        to.ReceiveTimeout = (int)NumberedDatagrams.Patience.TotalMilliseconds;
        to.Bind(new IPEndPoint(address, NumberedDatagrams.Port));
        from.Connect(address, NumberedDatagrams.Port);
        _sending = Task.Factory.StartNew(Send, default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        _receiving = Task.Factory.StartNew(Receive, default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Waits until so many more have arrived.</summary>
    public void AwaitMore(int count)
    {
        int goal = Volatile.Read(ref _received) + count;
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref _received) >= goal, Patience.Limit), "the datagrams come no more");
    }

    /// <summary>Ends it.</summary>
    /// <returns>How many were sent, and the numbers of those that arrived.</returns>
    public (int Sent, List<int> Arrived) Finish()
    {
        _isOver = true;
        return (_sending.GetAwaiter().GetResult(), _receiving.GetAwaiter().GetResult());
    }

    public void Dispose()
    {
        Finish();
        _from.Dispose();
        _to.Dispose();
    }

    int Send()
    {
        int sent = 0;
        SpinWait wait = default;
        while (!_isOver)
        {
            if (sent - Volatile.Read(ref _received) < MaxUnderWay)
            {
                _from.Send(BitConverter.GetBytes(++sent));
                wait.Reset();
            }
            else
            {
                wait.SpinOnce();
            }
        }

        return sent;
    }

    List<int> Receive()
    {
        byte[] buffer = new byte[4];
        List<int> numbers = [];
        while (true)
        {
            if (NumberedDatagrams.Receive(_to, buffer) > 0)
            {
                numbers.Add(BitConverter.ToInt32(buffer));
                Volatile.Write(ref _received, numbers.Count);
            }
            else if (_isOver)
            {
                return numbers;
            }
        }
    }
}
