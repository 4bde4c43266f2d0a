#if DEBUG
using System;
#endif
using System.Runtime.CompilerServices;
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
    const int Turn = 4 * CacheLine;

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
    /// <param name="item">A struct that does not move and is kept as long as this.</param>
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
    /// <param name="item">A struct that does not move and is kept as long as this.</param>
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

        byte* line = (byte*)_address;
        int size = Unsafe.SizeOf<T>() + CacheLine - sizeof(long); // it may begin with the last eight bytes of a line
        FetchTurn(line, size);
        FetchTurn(line + Turn, size - Turn);
        FetchTurn(line + (2 * Turn), size - (2 * Turn));
        FetchTurn(line + (3 * Turn), size - (3 * Turn)); // 1 kB: no struct that is fetched is larger
    }

    // The size is a constant of the type: an instruction is left for each line, and no test.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void FetchTurn(byte* line, int size)
    {
        if (size > 0)
        {
            Sse.Prefetch0(line);
        }

        if (size > CacheLine)
        {
            Sse.Prefetch0(line + CacheLine);
        }

        if (size > 2 * CacheLine)
        {
            Sse.Prefetch0(line + (2 * CacheLine));
        }

        if (size > 3 * CacheLine)
        {
            Sse.Prefetch0(line + (3 * CacheLine));
        }
    }
}
