using System;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;

namespace TcpDiag.Lab.Flows;

/// <summary>Brings the connections of a flow up, at either end.</summary>
[SupportedOSPlatform("linux")]
sealed class FlowOpening : IDisposable
{
    const long NanosecondsPerTick = 100;

    readonly FlowJob _job;
    readonly bool _isSender;
    readonly Socket? _listener;

    /// <summary>Gets ready: listens, or asks for the name of the other end.</summary>
    /// <param name="job">The flow.</param>
    /// <param name="isSender">Which end this is.</param>
    /// <param name="ready">Called once a connection would be accepted; not at all by the end that connects.</param>
    /// <exception cref="LabException">A setting of the socket did not take.</exception>
    public FlowOpening(FlowJob job, bool isSender, Action ready)
    {
        _job = job;
        _isSender = isSender;
        if (IsClient)
        {
            if (job.Flow.LookupNs is { } duration)
            {
                NameLookup.Run(Own.Namespace, Other.Address, duration);
            }

            return;
        }

        // What is set on the listening socket holds for the accepted ones.
        _listener = Create();
        _listener.Bind(new IPEndPoint(IPAddress.Parse(Own.Address), job.Port));
        _listener.Listen(job.Flow.Connections);
        ready();
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
            return listener.Poll(TimeSpan.FromTicks(_job.Flow.LimitNs / NanosecondsPerTick), SelectMode.SelectRead)
                ? listener.Accept()
                : throw new LabException("The other end did not connect within the time limit.");
        }

        Socket socket = Create();
        socket.Connect(IPAddress.Parse(Other.Address), _job.Port);
        return socket;
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
