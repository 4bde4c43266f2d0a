using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Structs that are taken, referred to by number and given back, held in chunks that never move: a reference stays
/// valid while others are taken, and no garbage arises once the pool has grown to what is needed at a time. Chunks of large structs are large objects to the garbage
/// collector, which leaves those where they are: smaller ones it would copy, twice, before they count as old.
/// </summary>
/// <typeparam name="T">The struct.</typeparam>
sealed class StructPool<T>
    where T : struct
{
    const int ChunkBits = 8;
    const int ChunkLength = 1 << ChunkBits;
    const int CacheLine = 64; // bytes

    readonly Stack<int> _free = new();
    T[][] _chunks = [];
    int _count;

    /// <summary>A struct by its number.</summary>
    /// <param name="index">What <see cref="Take"/> gave.</param>
    /// <returns>A reference, valid until the struct is given back.</returns>
    public ref T this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_chunks[(uint)index >> ChunkBits]), (uint)index & (ChunkLength - 1)); // all chunks are of one length: this finds no place outside
    }

    /// <summary>Has the processor fetch a struct that is about to be used, while it goes on.</summary>
    /// <param name="index">What <see cref="Take"/> gave; negative for none.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Prefetch(int index)
    {
        if (Sse.IsSupported && index >= 0)
        {
            byte* start = (byte*)Unsafe.AsPointer(ref this[index]);
            for (int offset = 0; offset < Unsafe.SizeOf<T>(); offset += CacheLine)
            {
                Sse.Prefetch0(start + offset);
            }
        }
    }

    /// <summary>Numbers given so far: 0 up to here. In their order structs lie in memory.</summary>
    public int Numbers => _count;

    /// <summary>Structs in use.</summary>
    public int InUse => _count - _free.Count;

    /// <summary>Takes a struct; it is cleared.</summary>
    /// <returns>Its number.</returns>
    public int Take()
    {
        if (_free.TryPop(out int index))
        {
            this[index] = default;
            return index;
        }

        if (_count >> ChunkBits == _chunks.Length)
        {
            Array.Resize(ref _chunks, Math.Max(2 * _chunks.Length, 1));
        }

        _chunks[_count >> ChunkBits] ??= new T[ChunkLength];

        return _count++;
    }

    /// <summary>Gives a struct back.</summary>
    /// <param name="index">What <see cref="Take"/> gave; not to be used again.</param>
    public void Return(int index) => _free.Push(index);
}
