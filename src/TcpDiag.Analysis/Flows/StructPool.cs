using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Structs that are taken, referred to by where they lie and given back, held in pinned chunks: a reference stays
/// valid while others are taken, and no garbage arises once the pool has grown to what is needed at a time.
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

    /// <summary>A struct by its number: the order in which structs were made, and in which they lie in memory.</summary>
    /// <param name="number">0 up to <see cref="Count"/>.</param>
    /// <returns>The struct.</returns>
    public Pooled<T> this[int number]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_chunks[(uint)number >> ChunkBits]), (uint)number & (ChunkLength - 1))); // all chunks are of one length: this finds no place outside
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
        }

        _chunks[_count >> ChunkBits] ??= GC.AllocateArray<T>(ChunkLength, pinned: true);
        return this[_count++];
    }

    /// <summary>Gives a struct back.</summary>
    /// <param name="struct">What <see cref="Take"/> gave; not to be used again. None when there is none.</param>
    public void Return(ref Pooled<T> @struct)
    {
        if (@struct.IsAny)
        {
            _free.Push(@struct);
            @struct = default;
        }
    }
}
