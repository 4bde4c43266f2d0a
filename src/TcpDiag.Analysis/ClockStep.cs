using System;

namespace TcpDiag.Analysis;

/// <summary>The recording clock was set: its times before and after cannot be compared.</summary>
/// <param name="Packet">Number of the first packet behind it, from 1.</param>
/// <param name="Jump">By how much, nanoseconds; less than 0 when it was set back. The time that passed meanwhile is in it, and not known.</param>
public readonly record struct ClockStep(long Packet, long Jump)
{
    /// <summary>By how much either way, nanoseconds.</summary>
    public long Size => Math.Abs(Math.Max(Jump, -long.MaxValue));
}
