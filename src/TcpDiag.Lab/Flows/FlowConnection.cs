using System;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;

namespace TcpDiag.Lab.Flows;

/// <summary>Brings the connection of a flow up, at either end.</summary>
[SupportedOSPlatform("linux")]
static class FlowConnection
{
    const long NanosecondsPerTick = 100;

    /// <summary>Connects, or waits for the other end to do so.</summary>
    /// <param name="job">The flow.</param>
    /// <param name="isSender">Which end this is.</param>
    /// <param name="ready">Called once a connection would be accepted.</param>
    /// <returns>The connection.</returns>
    /// <exception cref="LabException">A setting of the socket did not take, or nobody connected.</exception>
    /// <exception cref="SocketException">There is no way to the other end.</exception>
    public static Socket Open(FlowJob job, bool isSender, Action ready)
    {
        (FlowEnd own, FlowEnd other) = isSender ? (job.Sender, job.Receiver) : (job.Receiver, job.Sender);
        Socket socket = FlowSocket.Open(own.Namespace);
        FlowSocket.SetCongestion(socket, job.Flow.Congestion);
        if (isSender)
        {
            FlowSocket.SetSendBuffer(socket, job.Flow.SendBufferBytes);
        }
        else
        {
            FlowSocket.SetReceiveBuffer(socket, job.Flow.ReceiveBufferBytes);
        }

        return isSender != job.Flow.IsDownload ? Connect(socket, job, own, other) : Accept(socket, job, own, ready);
    }

    static Socket Connect(Socket socket, FlowJob job, FlowEnd own, FlowEnd other)
    {
        if (job.Flow.LookupNs is { } duration)
        {
            NameLookup.Run(own.Namespace, other.Address, duration);
        }

        socket.NoDelay = true;
        socket.Connect(IPAddress.Parse(other.Address), job.Port);
        return socket;
    }

    // What is set on the listening socket holds for the accepted one.
    static Socket Accept(Socket listener, FlowJob job, FlowEnd own, Action ready)
    {
        using Socket listening = listener;
        listening.NoDelay = true;
        listening.Bind(new IPEndPoint(IPAddress.Parse(own.Address), job.Port));
        listening.Listen(1);
        ready();
        return listening.Poll(TimeSpan.FromTicks(job.Flow.LimitNs / NanosecondsPerTick), SelectMode.SelectRead)
            ? listening.Accept()
            : throw new LabException("The other end did not connect within the time limit.");
    }
}
