using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace TcpDiag.Shim.Tests;

/// <summary>A path between two real hosts.</summary>
interface ILinkLab : IPathLab
{
    IPAddress FarAddress { get; }

    /// <summary>The longest a packet may be on its way because the machine is busy.</summary>
    TimeSpan Patience { get; }

    Socket NearSocket(SocketType type, ProtocolType protocol);

    Socket FarSocket(SocketType type, ProtocolType protocol);

    List<int> IPathLab.SendNumbered(int count, Action? whenSent)
    {
        using Socket far = FarSocket(SocketType.Dgram, ProtocolType.Udp);
        using Socket near = NearSocket(SocketType.Dgram, ProtocolType.Udp);
        return NumberedDatagrams.Send(near, far, FarAddress, count, Patience, whenSent);
    }

    List<int> IPathLab.SendCapable(int count)
    {
        using Socket far = FarSocket(SocketType.Dgram, ProtocolType.Udp);
        using Socket headers = FarSocket(SocketType.Raw, ProtocolType.Udp);
        using Socket near = NearSocket(SocketType.Dgram, ProtocolType.Udp);
        return NumberedDatagrams.SendCapable(near, far, headers, FarAddress, count, Patience);
    }

    TimeSpan IPathLab.RoundTrip()
    {
        using Socket far = FarSocket(SocketType.Dgram, ProtocolType.Udp);
        far.Bind(new IPEndPoint(FarAddress, NumberedDatagrams.Port));
        using Socket near = NearSocket(SocketType.Dgram, ProtocolType.Udp);
        near.Connect(FarAddress, NumberedDatagrams.Port);
        byte[] buffer = new byte[100];
        EndPoint sender = new IPEndPoint(IPAddress.Any, 0);

        long start = Stopwatch.GetTimestamp();
        near.Send(new byte[10]);
        far.ReceiveFrom(buffer, ref sender);
        far.SendTo(buffer, 10, SocketFlags.None, sender);
        near.Receive(buffer);
        return Stopwatch.GetElapsedTime(start);
    }
}
