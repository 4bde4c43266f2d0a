using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using TcpDiag.Impairment.Decisions;

namespace TcpDiag.Shim.Tests;

/// <summary>Two hosts joined by an emulated link that runs until the object is disposed of.</summary>
interface ILinkLab : IDisposable
{
    IPAddress FarAddress { get; }

    /// <summary>The longest a packet may be on its way because the machine is busy.</summary>
    TimeSpan Patience { get; }

    Socket NearSocket(SocketType type, ProtocolType protocol);

    Socket FarSocket(SocketType type, ProtocolType protocol);

    /// <summary>Ends the run and reads its log.</summary>
    (ShimReport Report, List<ImpairmentDecision> Decisions) Finish();
}
