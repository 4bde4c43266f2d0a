using System;

namespace TcpDiag.Analysis;

/// <summary>What a statement rests on.</summary>
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
