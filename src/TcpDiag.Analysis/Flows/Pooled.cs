using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace TcpDiag.Analysis.Flows;

/// <summary>A struct of a <see cref="StructPool{T}"/>, known by where it lies, which never changes: nobody has to be asked for it.</summary>
/// <typeparam name="T">The struct.</typeparam>
readonly unsafe struct Pooled<T>
    where T : struct
{
    const int CacheLine = 64; // bytes
    const int Lines = 4; // fetched in one turn

    readonly void* _address;

    /// <summary>Notes where a struct lies.</summary>
    /// <param name="place">A place in an array that never moves, and is kept as long as this.</param>
    public Pooled(ref T place) => _address = Unsafe.AsPointer(ref place);

    /// <summary>Whether there is one.</summary>
    public bool IsAny => _address != null;

    /// <summary>The struct, until it is given back; a null reference when there is none.</summary>
    public ref T Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.AsRef<T>(_address);
    }

    /// <summary>Has the processor fetch the struct, if there is one, while it goes on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch()
    {
        if (!Sse.IsSupported || !IsAny)
        {
            return;
        }

        byte* end = (byte*)_address + Unsafe.SizeOf<T>();
        for (byte* line = (byte*)_address; line < end; line += Lines * CacheLine)
        {
            Sse.Prefetch0(line);
            Sse.Prefetch0(line + CacheLine);
            Sse.Prefetch0(line + (2 * CacheLine));
            Sse.Prefetch0(line + (3 * CacheLine)); // what lies behind the last is fetched, too: no harm
        }
    }
}
