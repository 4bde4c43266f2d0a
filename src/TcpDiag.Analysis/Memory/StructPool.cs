using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TcpDiag.Analysis.Memory;

/// <summary>
/// Structs that are taken, referred to by address and given back, held in chunks that never move: a reference stays valid while others are taken,
/// and there is no garbage once the pool has grown to what is needed at a time. Once it is closed, a chunk goes as soon as all of it was given back.
/// </summary>
/// <typeparam name="T">The struct.</typeparam>
sealed unsafe class StructPool<T>
    where T : struct
{
    readonly Stack<Pooled<T>> _free = new();
    PoolChunk[] _chunks = [];
    int _count;
    int _oldest; // chunks before it are gone, when the pool is closed
    bool _isClosed;
#if DEBUG
    int[][] _generations = [];
#endif

    // A few pages at least, so that what a chunk took goes back to the system with it; known when this is compiled.
    static int ChunkBits
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Unsafe.SizeOf<T>() >= 1 << 9 ? 7 : 10;
    }

    static int ChunkLength => 1 << ChunkBits;

    /// <summary>A struct by its number: the order in which structs were made, and in which they lie in memory.</summary>
    /// <param name="number">0 up to <see cref="Count"/>.</param>
    /// <returns>The struct.</returns>
    public Pooled<T> this[int number]
    {
        // All chunks have one length, so the masked position is always inside.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            nint first = _chunks[(uint)number >> ChunkBits].Address;
            ref T item = ref Unsafe.AsRef<T>((void*)(first + (nint)(((uint)number & (ChunkLength - 1)) * Unsafe.SizeOf<T>())));
#if DEBUG
            return new(ref item, ref _generations[number >> ChunkBits][number & (ChunkLength - 1)]);
#else
            return new(ref item);
#endif
        }
    }

    /// <summary>Structs made so far.</summary>
    public int Count => _count;

    /// <summary>Structs in use.</summary>
    public int InUse => _count - _free.Count;

    /// <summary>Takes a struct; it is cleared.</summary>
    /// <returns>The struct.</returns>
    public Pooled<T> Take()
    {
        if (_free.TryPop(out Pooled<T> free))
        {
            free.Value = default;
            return free;
        }

        if ((_count & (ChunkLength - 1)) == 0)
        {
            Grow();
        }

        _chunks[_count >> ChunkBits].Held++;
        return this[_count++];
    }

    /// <summary>Gives a struct back.</summary>
    /// <param name="item">What <see cref="Take"/> gave, not to be used again; none is ignored.</param>
    public void Return(ref Pooled<T> item)
    {
        if (!item.IsAny)
        {
            return;
        }

        Pooled<T> renewed = Renewed(item);
        item = default;
        if (_isClosed)
        {
            Drop(renewed);
        }
        else
        {
            _free.Push(renewed);
        }
    }

    /// <summary>From now on hardly anything is taken: what is given back goes back to the system, a chunk at a time.</summary>
    public void Close()
    {
        _isClosed = true;
        MemoryBlock.End();
        while (_free.TryPop(out Pooled<T> free))
        {
            Drop(free);
        }
    }

    void Grow()
    {
        int chunk = _count >> ChunkBits;
        if (chunk == _chunks.Length)
        {
            Array.Resize(ref _chunks, Math.Max(2 * _chunks.Length, 1));
#if DEBUG
            Array.Resize(ref _generations, _chunks.Length);
#endif
        }

        _chunks[chunk] = PoolChunk.Of<T>(ChunkLength, isFirst: chunk == 0);
#if DEBUG
        _generations[chunk] = GC.AllocateArray<int>(ChunkLength, pinned: true);
#endif
    }

    // Structs are given back about in the order in which they were taken: the chunk is one of the oldest nearly always.
    void Drop(Pooled<T> item)
    {
        int chunk = ChunkOf(item);
        if (--_chunks[chunk].Held > 0)
        {
            return;
        }

        _chunks[chunk].Release();
        _count = Math.Max(_count, (chunk + 1) << ChunkBits); // what is taken next is of another chunk
        while (_oldest < _count >> ChunkBits && _chunks[_oldest].Held == 0)
        {
            _oldest++;
        }
    }

    int ChunkOf(Pooled<T> item)
    {
        for (int chunk = _oldest; chunk < _chunks.Length; chunk++)
        {
            nint offset = (nint)Unsafe.AsPointer(ref item.Value) - _chunks[chunk].Address;
            if (offset >= 0 && offset < ChunkLength * Unsafe.SizeOf<T>())
            {
                return chunk;
            }
        }

        throw new InvalidOperationException($"A {typeof(T).Name} was given back to a pool that it is not of.");
    }

#if DEBUG
    // Every copy made before is stale from now on.
    Pooled<T> Renewed(Pooled<T> item)
    {
        int chunk = ChunkOf(item);
        int position = (int)(((nint)Unsafe.AsPointer(ref item.Value) - _chunks[chunk].Address) / Unsafe.SizeOf<T>());
        _generations[chunk][position]++;
        return this[(chunk << ChunkBits) + position];
    }
#else
    static Pooled<T> Renewed(Pooled<T> item) => item;
#endif
}

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
