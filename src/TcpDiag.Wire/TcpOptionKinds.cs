using System;

namespace TcpDiag.Wire;

/// <summary>Which options a TCP header carries (IANA "TCP Option Kind Numbers").</summary>
[Flags]
#pragma warning disable CA1028 // kept small: it is part of every parsed packet
public enum TcpOptionKinds : ushort
#pragma warning restore CA1028
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Maximum segment size (kind 2, RFC 9293 §3.7.1).</summary>
    MaximumSegmentSize = 0x0001,

    /// <summary>Window scale (kind 3, RFC 7323 §2).</summary>
    WindowScale = 0x0002,

    /// <summary>SACK permitted (kind 4, RFC 2018 §2).</summary>
    SackPermitted = 0x0004,

    /// <summary>SACK blocks (kind 5, RFC 2018 §3).</summary>
    Sack = 0x0008,

    /// <summary>Timestamps (kind 8, RFC 7323 §3).</summary>
    Timestamps = 0x0010,

    /// <summary>MD5 signature (kind 19, RFC 2385).</summary>
    Md5Signature = 0x0020,

    /// <summary>Authentication option (kind 29, RFC 5925).</summary>
    Authentication = 0x0040,

    /// <summary>Multipath TCP (kind 30, RFC 8684).</summary>
    Multipath = 0x0080,

    /// <summary>Fast Open cookie (kind 34, RFC 7413; or the experimental form, kind 254 with 0xF989).</summary>
    FastOpen = 0x0100,

    /// <summary>Accurate ECN counters (kinds 172 and 174, RFC 9768 §3.2.3).</summary>
    AccurateEcn = 0x0200,

    /// <summary>User timeout (kind 28, RFC 5482).</summary>
    UserTimeout = 0x0400,

    /// <summary>A kind not listed here.</summary>
    Other = 0x4000,

    /// <summary>The option list is malformed, or the capture cut it; what stands before the fault is kept.</summary>
    Incomplete = 0x8000,
}
