using System;
using System.Net;
using System.Net.Sockets;

namespace TcpDiag.Lab.Flows;

/// <summary>Brings the connections of a flow up, at either end.</summary>
sealed class FlowOpening : IDisposable
{
    const long NanosecondsPerTick = 100;

    static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(100);

    readonly FlowJob _job;
    readonly bool _isSender;
    readonly Func<bool>? _isGivenUp;
    readonly Socket? _listener;

    /// <summary>Gets ready: listens, or asks for the name of the other end.</summary>
    /// <param name="job">The flow.</param>
    /// <param name="isSender">Which end this is.</param>
    /// <param name="ready">Called with the port once a connection would be accepted; not at all by the end that connects.</param>
    /// <param name="isGivenUp">Asked while waiting for a connection; null is never.</param>
    /// <exception cref="LabException">A setting of the socket did not take.</exception>
    public FlowOpening(FlowJob job, bool isSender, Action<int> ready, Func<bool>? isGivenUp)
    {
        _job = job;
        _isSender = isSender;
        _isGivenUp = isGivenUp;
        if (IsClient)
        {
            if (job.Flow.LookupNs is { } duration)
            {
                if (!OperatingSystem.IsLinux())
                {
                    throw new LabException("lookup: asked for on the lab's own path only, which Linux makes.");
                }

                NameLookup.Run(Own.Namespace, Other.Address, duration);
            }

            return;
        }

        // What is set on the listening socket holds for the accepted ones.
        _listener = Create();
        _listener.Bind(new IPEndPoint(IPAddress.Parse(Own.Address), job.Port));
        _listener.Listen(job.Flow.Connections);
        ready(((IPEndPoint)_listener.LocalEndPoint!).Port);
    }

    /// <summary>Whether this end connects.</summary>
    public bool IsClient => _isSender != _job.Flow.IsDownload;

    FlowEnd Own => _isSender ? _job.Sender : _job.Receiver;

    FlowEnd Other => _isSender ? _job.Receiver : _job.Sender;

    /// <summary>Connects, or waits for the other end to do so.</summary>
    /// <returns>The connection.</returns>
    /// <exception cref="LabException">A setting of the socket did not take, or nobody connected.</exception>
    /// <exception cref="SocketException">There is no way to the other end.</exception>
    public Socket Open()
    {
        if (_listener is { } listener)
        {
            return Accept(listener);
        }

        Socket socket = Create();
        if (Own is { Namespace: "", Address: { Length: > 0 } address })
        {
            socket.Bind(new IPEndPoint(IPAddress.Parse(address), 0));
        }

        socket.Connect(IPAddress.Parse(Other.Address), _job.Port);
        return socket;
    }

    Socket Accept(Socket listener)
    {
        for (TimeSpan waited = TimeSpan.Zero; waited.Ticks * NanosecondsPerTick < _job.Flow.LimitNs; waited += PollInterval)
        {
            if (listener.Poll(PollInterval, SelectMode.SelectRead))
            {
                return listener.Accept();
            }

            if (_isGivenUp?.Invoke() == true)
            {
                throw new LabException("The other end went away before it connected.");
            }
        }

        throw new LabException("The other end did not connect within the time limit.");
    }

    /// <inheritdoc/>
    public void Dispose() => _listener?.Dispose();

    Socket Create()
    {
        Socket socket = FlowSocket.Open(Own.Namespace, _job.Flow.IsIpv6);
        FlowSocket.SetCongestion(socket, _job.Flow.Congestion);
        if (_isSender)
        {
            FlowSocket.SetSendBuffer(socket, _job.Flow.SendBufferBytes);
            FlowSocket.SetPacing(socket, _job.Flow.PacingBitsPerSecond);
        }
        else
        {
            FlowSocket.SetReceiveBuffer(socket, _job.Flow.ReceiveBufferBytes);
        }

        socket.NoDelay = true;
        return socket;
    }
}
