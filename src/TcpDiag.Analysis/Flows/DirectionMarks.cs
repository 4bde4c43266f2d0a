using System;

namespace TcpDiag.Analysis.Flows;

/// <summary>What is known about one direction of a connection.</summary>
[Flags]
enum DirectionMarks : ushort
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>SND.MAX and SND.UNA are known, from a segment of this direction or an acknowledgment for it.</summary>
    HasSequence = 0x001,

    /// <summary>The SYN was seen.</summary>
    SynSeen = 0x002,

    /// <summary>The FIN was seen.</summary>
    FinSeen = 0x004,

    /// <summary>The sender of this direction gave a window scale in its SYN.</summary>
    HasScaleOption = 0x008,

    /// <summary>The sender of this direction gave timestamps in its SYN.</summary>
    HasTimestampsOption = 0x010,

    /// <summary>The sender's windows can be scaled: both SYNs were seen.</summary>
    ScaleKnown = 0x020,

    /// <summary>Something was resent, and not everything sent by then is acknowledged: no RTT samples (Karn).</summary>
    InRecovery = 0x040,

    /// <summary>A zero-window probe carried one byte that may still be accepted.</summary>
    ProbeByteOut = 0x080,

    /// <summary>Both SYNs were seen, and not both permit SACK.</summary>
    NoSack = 0x100,

    /// <summary>Payload has been sent.</summary>
    DataSeen = 0x200,

    /// <summary>Both SYNs were seen, and both permit SACK.</summary>
    HasSack = 0x400,

    /// <summary>Something that stands out goes on (docs/findings).</summary>
    PatternOpen = 0x800,

    /// <summary>SACK blocks came back.</summary>
    SackSeen = 0x1000,

    /// <summary>The other end's SYN crossed this end's: both open (RFC 9293 §3.5), and a SYN-ACK repeats no SYN.</summary>
    SynCrossed = 0x2000,
}
