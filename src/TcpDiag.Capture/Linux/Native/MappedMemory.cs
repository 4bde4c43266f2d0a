using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Capture.Linux.Native;

/// <summary>Memory shared with the kernel by mmap, unmapped with the handle.</summary>
sealed unsafe class MappedMemory : SafeHandle
{
    readonly nuint _length;

    MappedMemory(nint address, nuint length)
        : base(-1, ownsHandle: true)
    {
        _length = length;
        SetHandle(address);
    }

    /// <inheritdoc/>
    public override bool IsInvalid => handle == -1;

    /// <summary>Bytes mapped.</summary>
    public int Length => (int)_length;

    /// <summary>Maps a descriptor's memory for reading and writing.</summary>
    /// <param name="descriptor">What to map.</param>
    /// <param name="length">Bytes.</param>
    /// <returns>The mapping; invalid when the system refused it.</returns>
    public static MappedMemory Map(FileDescriptor descriptor, int length) =>
        new(Libc.Map(0, (nuint)length, Libc.ProtRead | Libc.ProtWrite, Libc.MapShared, descriptor, 0), (nuint)length);

    /// <summary>A view of part of the memory, valid until the handle is disposed.</summary>
    /// <param name="offset">First byte.</param>
    /// <param name="length">Bytes.</param>
    /// <returns>The view.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is not within the mapping.</exception>
    public Span<byte> Slice(int offset, int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, Length - offset);
        return new Span<byte>((byte*)handle + offset, length);
    }

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => Libc.Unmap(handle, _length) == 0;
}
