using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Analysis.Memory;

/// <summary>
/// The memory of so many structs. Those without references are the garbage collector's no concern: their memory comes from the system, cleared, takes none
/// before it is used, and goes back at once. Those with references lie in a pinned array.
/// </summary>
struct PoolChunk
{
    const int FirstChunks = 4; // which lie by themselves: of a smaller pool a whole block would remain unused for the most part

    object? _owner; // a pinned array, memory of the system, or a part of a block of it

    /// <summary>Where it begins; 0 when there is none.</summary>
    public nint Address { get; private set; }

    /// <summary>Structs of it that were taken and not given back for good.</summary>
    public int Held { get; set; }

    /// <summary>Allocates a chunk.</summary>
    /// <typeparam name="T">The struct.</typeparam>
    /// <param name="length">How many.</param>
    /// <param name="number">How many chunks the pool has.</param>
    /// <param name="before">The latest of these.</param>
    /// <returns>The chunk, cleared.</returns>
    public static unsafe PoolChunk Of<T>(int length, int number, in PoolChunk before)
        where T : struct
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            T[] array = GC.AllocateArray<T>(length, pinned: true);
            return new PoolChunk { _owner = array, Address = (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array)) };
        }

        long bytes = (long)length * Unsafe.SizeOf<T>();
        if (number >= FirstChunks && bytes <= MemoryBlock.Bytes)
        {
            return OfBlock(bytes, before);
        }

        var memory = new SystemMemory((nuint)length, (nuint)Unsafe.SizeOf<T>());
        if (number > 0)
        {
            FreshMemory.Populate(memory.DangerousGetHandle(), bytes); // many traces need no more than a part of the first
        }

        return new PoolChunk { _owner = memory, Address = memory.DangerousGetHandle() };
    }

    static PoolChunk OfBlock(long bytes, in PoolChunk before)
    {
        if (before._owner is not MemoryBlock block || !block.TryTake(bytes, out nint address))
        {
            block = new MemoryBlock();
            block.TryTake(bytes, out address);
        }

        return new PoolChunk { _owner = block, Address = address };
    }

    /// <summary>Gives the memory back.</summary>
    public void Release()
    {
        if (_owner is MemoryBlock block)
        {
            block.Drop();
        }
        else
        {
            (_owner as IDisposable)?.Dispose();
        }

        (_owner, Address) = (null, 0);
    }

    /// <summary>Memory of the system, freed at the latest when nobody knows it any more.</summary>
    sealed unsafe class SystemMemory : SafeHandle
    {
        public SystemMemory(nuint count, nuint size)
            : base(0, ownsHandle: true)
        {
            SetHandle((nint)NativeMemory.AllocZeroed(count, size));
        }

        public override bool IsInvalid => handle == 0;

        protected override bool ReleaseHandle()
        {
            NativeMemory.Free((void*)handle);
            return true;
        }
    }
}
