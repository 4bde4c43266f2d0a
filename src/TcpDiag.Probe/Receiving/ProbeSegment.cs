using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>A TCP segment as the probe receives or sends it: the numbers of its header, and how much data it carries.</summary>
public struct ProbeSegment
{
    /// <summary>SACK blocks that fit into a header without timestamps (RFC 2018 §3).</summary>
    public const int MaxBlocks = 4;

    Blocks _blocks;

    /// <summary>Control bits.</summary>
    public TcpFlags Flags;

    /// <summary>SEG.SEQ.</summary>
    public SequenceNumber Seq;

    /// <summary>SEG.ACK; significant with <see cref="TcpFlags.Ack"/>.</summary>
    public SequenceNumber Ack;

    /// <summary>Bytes of data.</summary>
    public int Length;

    /// <summary>SEG.WND in bytes, unscaled.</summary>
    public int Window;

    /// <summary>MSS option in bytes; 0 without one.</summary>
    public int Mss;

    /// <summary>Window scale option, shift count; null without one.</summary>
    public byte? WindowScale;

    /// <summary>Whether it permits SACK (RFC 2018 §2).</summary>
    public bool SackPermitted;

    /// <summary>SACK blocks.</summary>
    public int BlockCount { get; private set; }

    /// <summary>The number behind its last byte.</summary>
    public readonly SequenceNumber End => Seq + Length;

    /// <summary>A SACK block by its position; the first may be a DSACK (RFC 2883 §4).</summary>
    public readonly SackBlock this[int index] => _blocks[index];

    /// <summary>Adds a SACK block; what does not fit is left out.</summary>
    /// <param name="block">The block.</param>
    public void Add(SackBlock block)
    {
        if (BlockCount < MaxBlocks)
        {
            _blocks[BlockCount++] = block;
        }
    }

    [InlineArray(MaxBlocks)]
    struct Blocks
    {
        SackBlock _first;
    }
}

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
