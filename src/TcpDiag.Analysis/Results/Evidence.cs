using System;

namespace TcpDiag.Analysis.Results;

/// <summary>What a statement is based on.</summary>
[Flags]
public enum Evidence
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Captured packets.</summary>
    Packets = 1,

    /// <summary>Events of the TCP stack.</summary>
    Events = 2,

    /// <summary>Packets and events.</summary>
    Both = 3,
}

/// <summary>Where the capture was taken, seen from one connection.</summary>
public enum Vantage
{
    /// <summary>Unknown.</summary>
    Unknown = 0,

    /// <summary>At the client: what it sends is acknowledged a whole RTT later.</summary>
    Client = 1,

    /// <summary>At the server.</summary>
    Server = 2,

    /// <summary>Between the ends: part of the RTT lies on either side.</summary>
    Middle = 3,
}

/// <summary>Where the capture was taken, seen from one direction of a connection.</summary>
enum DirectionVantage
{
    /// <summary>Not known.</summary>
    Unknown = 0,

    /// <summary>At the sender of the data.</summary>
    Sender = 1,

    /// <summary>At the receiver.</summary>
    Receiver = 2,

    /// <summary>In between.</summary>
    Middle = 3,
}
