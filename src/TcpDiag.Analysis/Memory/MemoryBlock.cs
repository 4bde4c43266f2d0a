using System;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Analysis.Memory;

/// <summary>
/// Memory of the system for chunks of pools, on one huge page where there are such: what is kept of thousands of connections lies on as many ordinary pages,
/// whose addresses the processor has to look up again at each of their packets. Freed when it is used up and all chunks were dropped, and at the latest when
/// nobody knows it any more.
/// </summary>
sealed unsafe class MemoryBlock : SafeHandle
{
    const int CacheLine = 64;

    [ThreadStatic]
    static MemoryBlock? _latest; // pools of a thread fill the same block, as they grow together

    readonly nint _first;
    long _taken; // bytes
    int _held = 1; // chunks, which other threads may drop, and one more while it is the latest

    /// <summary>Takes a block from the system, cleared.</summary>
    public MemoryBlock()
        : base(0, ownsHandle: true)
    {
        SetHandle((nint)NativeMemory.AllocZeroed((nuint)(2 * Bytes))); // no page of it is there before it is used
        _first = (nint)((handle + Bytes - 1) & -Bytes);
        FreshMemory.PreferHugePages(_first, Bytes);
    }

    /// <summary>Bytes of a block, and of a huge page.</summary>
    public static long Bytes => 1 << 21;

    /// <inheritdoc/>
    public override bool IsInvalid => handle == 0;

    /// <summary>Takes memory for a chunk, cleared.</summary>
    /// <param name="bytes">At most <see cref="Bytes"/>.</param>
    /// <param name="address">Where it begins.</param>
    /// <returns>The block that it is of.</returns>
    public static MemoryBlock Take(long bytes, out nint address)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, Bytes);
        if (_latest is not { } block || !block.TryTake(bytes, out address))
        {
            End();
            block = _latest = new MemoryBlock();
            block.TryTake(bytes, out address);
        }

        FreshMemory.Populate(address, bytes); // page by page where none is huge
        return block;
    }

    /// <summary>No more chunks are taken from the thread's latest block.</summary>
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

    bool TryTake(long bytes, out nint address)
    {
        address = _first + (nint)_taken;
        if (bytes > Bytes - _taken)
        {
            return false;
        }

        Interlocked.Increment(ref _held);
        _taken += (bytes + CacheLine - 1) & -CacheLine;
        return true;
    }

    /// <inheritdoc/>
    protected override bool ReleaseHandle()
    {
        NativeMemory.Free((void*)handle);
        return true;
    }
}
