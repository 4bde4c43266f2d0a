using TcpDiag.Wire;

namespace TcpDiag.Simulator.Receivers;

/// <summary>A data segment as it arrives at a receiver.</summary>
/// <param name="Seq">Its first byte.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Now">When it arrives.</param>
public readonly record struct DataArrival(SequenceNumber Seq, int Length, TraceTime Now)
{
    /// <summary>Its TSval; valid with <see cref="TsEcr"/>, and 0 without timestamps.</summary>
    public uint TsVal { get; init; }

    /// <summary>Its TSecr, in milliseconds of <see cref="Now"/>; null without timestamps.</summary>
    public uint? TsEcr { get; init; }

    /// <summary>Whether it carries CE (RFC 3168).</summary>
    public bool IsMarked { get; init; }

    /// <summary>Whether it carries PSH.</summary>
    public bool IsPushed { get; init; }
}
