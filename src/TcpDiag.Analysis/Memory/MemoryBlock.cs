using System;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Analysis.Memory;

/// <summary>
/// Memory of the system for chunks of pools, cleared; none of it is there before it is used. Freed when it is used up and all chunks were dropped, and at
/// the latest when nobody knows it any more.
/// </summary>
sealed unsafe class MemoryBlock : SafeHandle
{
    /// <summary>Bytes of a shared block, and of a huge page of x86-64.</summary>
    public const int Bytes = 1 << 21;

    const int CacheLine = 64;

    [ThreadStatic]
    static MemoryBlock? _latest; // pools of a thread fill the same block, as they grow together

    nint _free; // where what was not taken begins
    nint _end;
    int _held = 1; // chunks, which other threads may drop, and one more while it is the latest

    /// <summary>Makes a block without memory.</summary>
    public MemoryBlock()
        : base(0, ownsHandle: true)
    {
    }

    /// <inheritdoc/>
    public override bool IsInvalid => handle == 0;

    /// <summary>Takes memory for a chunk that lies by itself.</summary>
    /// <param name="bytes">How much.</param>
    /// <param name="address">Where it begins.</param>
    /// <returns>The block, of this chunk alone.</returns>
    public static MemoryBlock Alone(long bytes, out nint address)
    {
        var block = new MemoryBlock();
        address = block.Allocate(bytes);
        return block;
    }

    /// <summary>
    /// Takes memory for a chunk behind others, on huge pages where there are such: what is kept of thousands of connections lies on as many ordinary pages,
    /// whose addresses the processor has to look up again at each of their packets.
    /// </summary>
    /// <param name="bytes">At most <see cref="Bytes"/>.</param>
    /// <param name="address">Where it begins.</param>
    /// <returns>The block that it is of.</returns>
    public static MemoryBlock Shared(int bytes, out nint address)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, Bytes);
        if (_latest is not { } block || block._end - block._free < bytes)
        {
            End();
            block = _latest = new MemoryBlock();
            block._free = (block.Allocate(2 * Bytes) + Bytes - 1) & -Bytes;
            block._end = block._free + Bytes;
            FreshMemory.PreferHugePages(block._free, Bytes);
        }

        address = block._free;
        block._free += (bytes + CacheLine - 1) & -CacheLine;
        Interlocked.Increment(ref block._held);
        FreshMemory.Populate(address, bytes); // page by page where none is huge
        return block;
    }

    /// <summary>Nothing more is taken from the block that this thread shares at present.</summary>
    public static void End()
    {
        _latest?.Drop();
        _latest = null;
    }

    /// <summary>Gives the memory of a chunk back.</summary>
    public void Drop()
    {
        if (Interlocked.Decrement(ref _held) == 0)
        {
            Dispose();
        }
    }

    /// <inheritdoc/>
    protected override bool ReleaseHandle()
    {
        NativeMemory.Free((void*)handle);
        return true;
    }

    nint Allocate(long bytes)
    {
        SetHandle((nint)NativeMemory.AllocZeroed((nuint)bytes));
        return handle;
    }
}
