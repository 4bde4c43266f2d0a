using System;

namespace TcpDiag.Peers;

/// <summary>What a program says of one packet.</summary>
[Flags]
public enum PacketMarks
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>It carries data that was sent before.</summary>
    Retransmission = 1,

    /// <summary>It came out of order.</summary>
    OutOfOrder = 2,

    /// <summary>It is a duplicate acknowledgment.</summary>
    DuplicateAck = 4,

    /// <summary>It carries a DSACK.</summary>
    Dsack = 8,

    /// <summary>It gave a sample of the RTT.</summary>
    RttSample = 16,
}
