using System;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>What is known about a retransmission.</summary>
[Flags]
enum ResendMarks : ushort
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>It has a TSval.</summary>
    HasTsVal = 0x001,

    /// <summary>No segment before it had its TSval: an echo of it can only mean this one.</summary>
    HasOwnTsVal = 0x002,

    /// <summary>Its data had not passed the capture point before.</summary>
    WasMissing = 0x004,

    /// <summary>The same data had been sent again before.</summary>
    IsRepeated = 0x008,

    /// <summary>Its data has been acknowledged or SACKed.</summary>
    IsAcked = 0x010,

    /// <summary>Data above it was SACKed before it was acknowledged itself.</summary>
    WasSackHole = 0x020,

    /// <summary>It was acknowledged sooner than any round trip takes.</summary>
    IsTooSoon = 0x040,

    /// <summary>The acknowledgment of its data came before it, or echoed an older timestamp: needless (RFC 3522).</summary>
    IsOutdated = 0x080,

    /// <summary>A DSACK reported it as a duplicate: needless (RFC 3708).</summary>
    IsReported = 0x100,

    /// <summary>The original came to the capture point after it: needless.</summary>
    IsOvertaken = 0x200,

    /// <summary>An acknowledgment without any news answered it, or its original that came behind it: one of them was a duplicate.</summary>
    IsRepeatAnswered = 0x400,

    /// <summary>The same, but the window of that acknowledgment had grown: that may have been its reason.</summary>
    IsUpdateAnswered = 0x800,

    /// <summary>An acknowledgment without any news may have answered its original behind it, or new data that was too old for the receiver.</summary>
    MayBeAnswered = 0x1000,
}
