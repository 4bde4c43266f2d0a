using System.Runtime.InteropServices;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Analysis.Memory;

/// <summary>
/// Memory of the system for several chunks of a pool, on one huge page where there are such: what is kept of ten thousand connections lies on as many ordinary
/// pages, whose addresses the processor has to look up again at each of their packets. Freed when all chunks were dropped, and at the latest when nobody knows
/// it any more.
/// </summary>
sealed unsafe class MemoryBlock : SafeHandle
{
    const int CacheLine = 64;

    readonly nint _first;
    long _taken; // bytes
    int _held; // chunks

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

    /// <summary>Takes memory for a chunk.</summary>
    /// <param name="bytes">At most <see cref="Bytes"/>.</param>
    /// <param name="address">Where it begins.</param>
    /// <returns>False when so much is not left.</returns>
    public bool TryTake(long bytes, out nint address)
    {
        address = _first + (nint)_taken;
        if (bytes > Bytes - _taken || IsClosed)
        {
            return false;
        }

        _taken += (bytes + CacheLine - 1) & -CacheLine;
        _held++;
        FreshMemory.Populate(address, bytes); // page by page where none is huge
        return true;
    }

    /// <summary>Gives the memory of a chunk back.</summary>
    public void Drop()
    {
        if (--_held == 0)
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
}
