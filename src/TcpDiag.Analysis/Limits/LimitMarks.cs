using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>What is known about the sender of one direction at present.</summary>
[Flags]
enum LimitMarks : ushort
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Data has been sent.</summary>
    Begun = 0x01,

    /// <summary>Something was resent, or the congestion window cut, and the recovery point is not acknowledged yet.</summary>
    Recovering = 0x02,

    /// <summary>The receive window is known.</summary>
    EdgeKnown = 0x04,

    /// <summary>The latest segment was full: it may not be the end of a write.</summary>
    EndedFull = 0x08,

    /// <summary>Since the latest send an acknowledgment let the sender send more.</summary>
    Clocked = 0x10,

    /// <summary>Since the latest send the peer sent data: what is sent next may answer it.</summary>
    PeerSpoke = 0x20,

    /// <summary>The receive window was full after the latest send, and has been opened since.</summary>
    Opened = 0x40,

    /// <summary>The size of segments is known from the handshake.</summary>
    MssKnown = 0x80,

    /// <summary>The way between capture point and sender is known.</summary>
    Placed = 0x100,

    /// <summary>A timestamp of the peer is on its way to the sender and back.</summary>
    EchoAwaited = 0x200,

    /// <summary>Acknowledgments are answered with the window not full and nothing left to be sent: by what its stack tells, the send buffer is full.</summary>
    Buffered = 0x800,

    /// <summary>The latest burst ended full, but all that was written had been sent with it.</summary>
    Emptied = 0x400,

    /// <summary>Behind a gap in the capture, until an acknowledgment of what was sent after it: what is in flight is not known.</summary>
    Blind = 0x2000,

    /// <summary>Data echoes timestamps: which acknowledgments the sender had is known.</summary>
    Echoes = 0x1000,
}
