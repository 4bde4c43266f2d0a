using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TcpDiag.Analysis.Memory;

/// <summary>
/// The memory of so many structs. Those without references are the garbage collector's no concern: their memory comes from the system, cleared, takes none
/// before it is used, and goes back at once. Those with references lie in a pinned array.
/// </summary>
struct PoolChunk
{
    object? _owner; // a pinned array, memory of the system, or a part of a block of it

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
        if (!isFirst && bytes <= MemoryBlock.Bytes)
        {
            return new PoolChunk { _owner = MemoryBlock.Take(bytes, out nint address), Address = address };
        }

        var memory = new SystemMemory((nuint)length, (nuint)Unsafe.SizeOf<T>());
        return new PoolChunk { _owner = memory, Address = memory.DangerousGetHandle() };
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
