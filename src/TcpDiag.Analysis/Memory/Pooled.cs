using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace TcpDiag.Analysis.Memory;

/// <summary>Stands for the type of a pooled struct where only its owner knows it.</summary>
readonly struct Untyped;

/// <summary>
/// A struct of a <see cref="StructPool{T}"/>, known by its address, which never changes. In debug builds it also carries the generation
/// of the struct when it was taken: a copy that outlives <see cref="StructPool{T}.Return"/> throws instead of reading its successor's state.
/// </summary>
/// <typeparam name="T">The struct.</typeparam>
readonly unsafe struct Pooled<T>
    where T : struct
{
    const int CacheLine = 64; // bytes
    const int LinesPerTurn = 4;

    readonly void* _address;
#if DEBUG
    readonly int* _generation;
    readonly int _taken;

    Pooled(void* address, int* generation, int taken)
    {
        _address = address;
        _generation = generation;
        _taken = taken;
    }

    /// <summary>Notes the address of a struct.</summary>
    /// <param name="item">An element of a pinned array that is kept as long as this.</param>
    /// <param name="generation">How often the struct was given back so far; pinned as well.</param>
    public Pooled(ref T item, ref int generation)
        : this(Unsafe.AsPointer(ref item), (int*)Unsafe.AsPointer(ref generation), generation)
    {
    }

    /// <summary>The struct, until it is given back; a null reference when there is none.</summary>
    /// <exception cref="InvalidOperationException">It was given back since this was copied.</exception>
    public ref T Value
    {
        get
        {
            if (_address != null && *_generation != _taken)
            {
                throw new InvalidOperationException($"A {typeof(T).Name} was used after it had been given back to its pool.");
            }

            return ref Unsafe.AsRef<T>(_address);
        }
    }

    /// <summary>The same struct under another type.</summary>
    /// <typeparam name="TOther">The type by which its owner knows it, or <see cref="Untyped"/>.</typeparam>
    /// <returns>The struct.</returns>
    public Pooled<TOther> As<TOther>()
        where TOther : struct => new(_address, _generation, _taken);
#else
    Pooled(void* address) => _address = address;

    /// <summary>Notes the address of a struct.</summary>
    /// <param name="item">An element of a pinned array that is kept as long as this.</param>
    public Pooled(ref T item) => _address = Unsafe.AsPointer(ref item);

    /// <summary>The struct, until it is given back; a null reference when there is none.</summary>
    public ref T Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.AsRef<T>(_address);
    }

    /// <summary>The same struct under another type.</summary>
    /// <typeparam name="TOther">The type by which its owner knows it, or <see cref="Untyped"/>.</typeparam>
    /// <returns>The struct.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Pooled<TOther> As<TOther>()
        where TOther : struct => new(_address);
#endif

    /// <summary>Whether there is one.</summary>
    public bool IsAny => _address != null;

    /// <summary>Has the processor fetch the struct, if there is one, while it goes on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch()
    {
        if (!Sse.IsSupported || !IsAny)
        {
            return;
        }

        byte* end = (byte*)_address + Unsafe.SizeOf<T>();
        for (byte* line = (byte*)_address; line < end; line += LinesPerTurn * CacheLine)
        {
            Sse.Prefetch0(line);
            Sse.Prefetch0(line + CacheLine);
            Sse.Prefetch0(line + (2 * CacheLine));
            Sse.Prefetch0(line + (3 * CacheLine)); // lines past the end are fetched as well: no harm
        }
    }
}

/// <summary>
/// Structs that are taken, referred to by address and given back, held in pinned chunks: a reference stays valid while others are taken,
/// and there is no garbage once the pool has grown to what is needed at a time.
/// </summary>
/// <typeparam name="T">The struct.</typeparam>
sealed class StructPool<T>
    where T : struct
{
    const int ChunkBits = 8;
    const int ChunkLength = 1 << ChunkBits;

    readonly Stack<Pooled<T>> _free = new();
    T[][] _chunks = [];
    int _count;
#if DEBUG
    int[][] _generations = [];
#endif

    /// <summary>A struct by its number: the order in which structs were made, and in which they lie in memory.</summary>
    /// <param name="number">0 up to <see cref="Count"/>.</param>
    /// <returns>The struct.</returns>
    public Pooled<T> this[int number]
    {
        // All chunks have one length, so the masked position is always inside.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ref T first = ref MemoryMarshal.GetArrayDataReference(_chunks[(uint)number >> ChunkBits]);
            ref T item = ref Unsafe.Add(ref first, (uint)number & (ChunkLength - 1));
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

        if (_count >> ChunkBits == _chunks.Length)
        {
            Array.Resize(ref _chunks, Math.Max(2 * _chunks.Length, 1));
#if DEBUG
            Array.Resize(ref _generations, _chunks.Length);
#endif
        }

        _chunks[_count >> ChunkBits] ??= GC.AllocateArray<T>(ChunkLength, pinned: true);
#if DEBUG
        _generations[_count >> ChunkBits] ??= GC.AllocateArray<int>(ChunkLength, pinned: true);
#endif
        return this[_count++];
    }

    /// <summary>Gives a struct back.</summary>
    /// <param name="item">What <see cref="Take"/> gave, not to be used again; none is ignored.</param>
    public void Return(ref Pooled<T> item)
    {
        if (item.IsAny)
        {
            _free.Push(Renewed(item));
            item = default;
        }
    }

#if DEBUG
    // Every copy made before is stale from now on.
    Pooled<T> Renewed(Pooled<T> item)
    {
        for (int chunk = 0; chunk < _chunks.Length && _chunks[chunk] is { } items; chunk++)
        {
            long position = Unsafe.ByteOffset(ref items[0], ref item.Value) / Unsafe.SizeOf<T>();
            if (position is >= 0 and < ChunkLength)
            {
                _generations[chunk][position]++;
                return this[(chunk << ChunkBits) + (int)position];
            }
        }

        throw new InvalidOperationException($"A {typeof(T).Name} was given back to a pool that it is not of.");
    }
#else
    static Pooled<T> Renewed(Pooled<T> item) => item;
#endif
}
