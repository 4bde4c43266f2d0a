using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>A data segment that reached the probe.</summary>
/// <param name="Seq">Its first byte.</param>
/// <param name="End">The number behind its last byte.</param>
/// <param name="Time">When it came.</param>
/// <param name="IsResent">Whether its data had come before.</param>
public readonly record struct Arrival(SequenceNumber Seq, SequenceNumber End, TraceTime Time, bool IsResent);

/// <summary>What the pretended network does to a segment.</summary>
/// <param name="IsDropped">It never arrives.</param>
/// <param name="LateNanos">It arrives so much later than its place in line, ns.</param>
public readonly record struct Fate(bool IsDropped, long LateNanos)
{
    /// <summary>It arrives in its place.</summary>
    public static readonly Fate Arrives;

    /// <summary>It is lost.</summary>
    public static readonly Fate Drops = new(IsDropped: true, 0);

    /// <summary>It is overtaken.</summary>
    /// <param name="nanos">By how much it is late, ns.</param>
    public static Fate Late(long nanos) => new(IsDropped: false, nanos);
}
