using System;
using System.Runtime.CompilerServices;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>An acknowledgment as it arrives at a sender.</summary>
public struct AckArrival
{
    /// <summary>SACK blocks that fit beside timestamps or not (RFC 2018 §3).</summary>
    public const int MaxBlocks = 4;

    Blocks _blocks;

    /// <summary>When it arrived.</summary>
    public TraceTime Now;

    /// <summary>SEG.ACK.</summary>
    public SequenceNumber Una;

    /// <summary>The receive window it grants, bytes.</summary>
    public int Window;

    /// <summary>TSecr; valid with <see cref="HasTimestamps"/>.</summary>
    public uint TsEcr;

    /// <summary>Whether it carries timestamps.</summary>
    public bool HasTimestamps;

    /// <summary>Whether it is a duplicate (RFC 5681 §2): no data, no news in its numbers and window, and something outstanding.</summary>
    public bool IsDuplicate;

    /// <summary>Whether it echoes congestion (ECE, RFC 3168).</summary>
    public bool HasEcnEcho;

    /// <summary>SACK blocks.</summary>
    public int BlockCount { get; private set; }

    /// <summary>Whether the first block is a DSACK (RFC 2883 §4).</summary>
    public readonly bool IsDsack => BlockCount switch
    {
        0 => false,
        1 => DsackDetector.Classify(Una, _blocks[0]) != DsackForm.None,
        _ => DsackDetector.Classify(Una, _blocks[0], _blocks[1]) != DsackForm.None,
    };

    /// <summary>A SACK block by its position.</summary>
    public readonly SackBlock this[int index] => _blocks[index];

    /// <summary>Adds a SACK block; those beyond <see cref="MaxBlocks"/> are left out, as a header leaves them out.</summary>
    /// <param name="block">The block.</param>
    public void Add(SackBlock block)
    {
        if (BlockCount < MaxBlocks)
        {
            _blocks[BlockCount++] = block;
        }
    }

    /// <summary>The SACK blocks without a DSACK in ascending order; a header has the latest first.</summary>
    /// <param name="room">Room for <see cref="MaxBlocks"/>.</param>
    /// <returns>The part of it that was filled.</returns>
    public readonly Span<SackBlock> NewsAscending(Span<SackBlock> room)
    {
        int first = IsDsack ? 1 : 0;
        Span<SackBlock> blocks = room[..(BlockCount - first)];
        ((ReadOnlySpan<SackBlock>)_blocks)[first..BlockCount].CopyTo(blocks);
        if (blocks.Length > 1)
        {
            blocks.Sort(static (one, other) => one.Left - other.Left);
        }

        return blocks;
    }

    [InlineArray(MaxBlocks)]
    struct Blocks
    {
        SackBlock _first;
    }
}
