using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TcpDiag.Analysis.Memory;

/// <summary>
/// The memory of so many structs. Those without references are the garbage collector's no concern: their memory comes from the system, and goes back to it
/// (<see cref="MemoryBlock"/>). Those with references lie in a pinned array.
/// </summary>
struct PoolChunk
{
    object? _owner; // a pinned array, or the block of memory that it is of

    /// <summary>Where it begins; 0 when there is none.</summary>
    public nint Address { get; private set; }

    /// <summary>Structs of it that were taken and not given back for good.</summary>
    public int Held { get; set; }

    /// <summary>Allocates a chunk.</summary>
    /// <typeparam name="T">The struct.</typeparam>
    /// <param name="length">How many.</param>
    /// <param name="isFirst">Whether the pool has none yet: many traces need no more than a part of it, which lies by itself.</param>
    /// <returns>The chunk, cleared.</returns>
    public static unsafe PoolChunk Of<T>(int length, bool isFirst)
        where T : struct
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            T[] array = GC.AllocateArray<T>(length, pinned: true);
            return new PoolChunk { _owner = array, Address = (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array)) };
        }

        long bytes = (long)length * Unsafe.SizeOf<T>();
        nint address;
        MemoryBlock block = isFirst || bytes > MemoryBlock.Bytes ? MemoryBlock.Alone(bytes, out address) : MemoryBlock.Shared((int)bytes, out address);
        return new PoolChunk { _owner = block, Address = address };
    }

    /// <summary>Gives the memory back.</summary>
    public void Release()
    {
        (_owner as MemoryBlock)?.Drop();
        (_owner, Address) = (null, 0);
    }
}
