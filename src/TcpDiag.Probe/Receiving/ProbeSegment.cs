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
