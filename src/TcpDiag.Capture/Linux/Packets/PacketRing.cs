using System;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// The TPACKET_V3 ring: blocks that the kernel fills and hands over when they are full or <see cref="RetireMilliseconds"/> old.
/// Blocks come in order; one is ours from <see cref="TryTake"/> to <see cref="Release"/>.
/// </summary>
sealed class PacketRing : IDisposable
{
    // Age at which the kernel hands over a block that is not full; up to twice that, and later on a busy processor.
    const int RetireMilliseconds = 8;

    // Small blocks, because at low rates each holds only a few packets and the ring lasts Blocks × RetireMilliseconds.
    const int BlockBytes = 1 << 18;
    const int MinBlocks = 8;

    // The kernel wants a frame size even where frames vary; only its product with the count is checked.
    const int FrameBytes = 1 << 11;

    // struct tpacket_block_desc: version, offset to private area, then struct tpacket_hdr_v1.
    const int StatusOffset = 8;
    const int UserOwns = 1;
    const int KernelOwns = 0;

    readonly MappedMemory _memory;
    readonly int _blocks;
    int _next;

    PacketRing(MappedMemory memory)
    {
        _memory = memory;
        _blocks = memory.Length / BlockBytes;
    }

    /// <summary>Sets up the ring of a socket.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="bufferBytes">Memory to use, rounded to whole blocks.</param>
    /// <returns>The ring.</returns>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static PacketRing Create(PacketSocket socket, int bufferBytes)
    {
        uint blocks = (uint)Math.Max(bufferBytes / BlockBytes, MinBlocks);
        uint frames = blocks * (BlockBytes / FrameBytes);

        // struct tpacket_req3: block size, blocks, frame size, frames, retire time, private area, features.
        return new(socket.MapRing([BlockBytes, blocks, FrameBytes, frames, RetireMilliseconds, 0, 0]));
    }

    /// <summary>Takes the next block when the kernel has handed it over.</summary>
    /// <param name="block">The block, valid until <see cref="Release"/>.</param>
    /// <returns>False when there is none yet.</returns>
    public bool TryTake(out Span<byte> block)
    {
        block = _memory.Slice(_next * BlockBytes, BlockBytes);
        return (Volatile.Read(ref Word(block, StatusOffset)) & UserOwns) != 0;
    }

    /// <summary>Gives the block taken last back to the kernel.</summary>
    public void Release()
    {
        Volatile.Write(ref Word(_memory.Slice(_next * BlockBytes, BlockBytes), StatusOffset), KernelOwns);
        _next = (_next + 1) % _blocks;
    }

    /// <summary>
    /// Looks at the block the kernel is filling. A count that has just been raised may still stand beside the time of an
    /// earlier packet in the same place, which only makes the answer too early.
    /// </summary>
    /// <returns>When its first packet was seen; null when it has none.</returns>
    public TraceTime? PeekPending()
    {
        Span<byte> block = _memory.Slice(_next * BlockBytes, BlockBytes);
        if (Volatile.Read(ref Word(block, RingBlockReader.PacketCount)) == 0)
        {
            return null;
        }

        var packet = default(RingPacket);
        return new RingBlockReader(block).TryRead(ref packet) ? packet.Time : default(TraceTime);
    }

    /// <inheritdoc/>
    public void Dispose() => _memory.Dispose();

    static ref int Word(Span<byte> block, int offset) => ref MemoryMarshal.AsRef<int>(block[offset..]);
}
