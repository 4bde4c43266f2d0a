using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using TcpDiag.Impairment.Decisions;

namespace TcpDiag.Shim.Tests;

/// <summary>
/// A near and a far host with an emulated path between them, which runs until the object is disposed of. Both may be real, or a capture and who
/// compares what comes of it.
/// </summary>
interface IPathLab : IDisposable
{
    /// <summary>Sends datagrams with the numbers 1, 2, … from the near host to port 5001 of the far one.</summary>
    /// <param name="count">How many.</param>
    /// <param name="whenSent">Called when all of them are sent and none of them is looked at yet; null for nothing.</param>
    /// <returns>The numbers of those that arrived with a right checksum, in their order, until the path was quiet.</returns>
    List<int> SendNumbered(int count, Action? whenSent = null);

    /// <summary>The same with ECN-capable ones, ECT(0).</summary>
    /// <param name="count">How many.</param>
    /// <returns>The numbers of those that arrived marked CE.</returns>
    List<int> SendCapable(int count);

    /// <summary>Sends a datagram to the far host, and when it has come another back.</summary>
    /// <returns>How long both took together.</returns>
    TimeSpan RoundTrip();

    /// <summary>Ends the run and reads its log.</summary>
    (ShimReport Report, List<ImpairmentDecision> Decisions) Finish();
}

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
