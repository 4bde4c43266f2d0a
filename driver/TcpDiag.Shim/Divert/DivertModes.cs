using System;

namespace TcpDiag.Shim.Divert;

/// <summary>WINDIVERT_FLAG_*: how a handle is opened.</summary>
[Flags]
enum DivertModes : ulong
{
    /// <summary>What matches is taken, and can be sent again.</summary>
    None = 0,

    /// <summary>What matches is copied and goes its way.</summary>
    Sniff = 1,

    /// <summary>Nothing can be sent.</summary>
    ReceiveOnly = 4,
}
