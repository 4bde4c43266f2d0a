using System;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>TCP options of a scripted segment.</summary>
[Flags]
enum ScriptedOptions : byte
{
    None = 0,

    /// <summary>A SACK block above the acknowledgment.</summary>
    SackBlock = 1,

    TwoSackBlocks = 2,

    ThreeSackBlocks = SackBlock | TwoSackBlocks,

    Timestamps = 4,

    Mss = 8,

    WindowScale = 0x10,

    SackPermitted = 0x20,

    /// <summary>An option that claims more bytes than there are.</summary>
    Garbage = 0x40,

    /// <summary>The first SACK block lies below the acknowledgment.</summary>
    Dsack = 0x80,
}
