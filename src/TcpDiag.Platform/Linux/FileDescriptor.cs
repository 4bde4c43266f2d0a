using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace TcpDiag.Platform.Linux;

/// <summary>An open file descriptor, closed with the handle.</summary>
sealed class FileDescriptor : SafeHandle
{
    /// <summary>Creates an empty handle, filled by the marshaller.</summary>
    public FileDescriptor()
        : base(-1, ownsHandle: true)
    {
    }

    /// <summary>The number, for a call that takes several descriptors; valid while this object is not disposed.</summary>
    public int Number => unchecked((int)handle);

    /// <inheritdoc/>
    // The calls return 32 bits; the upper half of the handle is not theirs.
    public override bool IsInvalid => Number < 0;

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => Libc.Close(Number) == 0;
}

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

    public int Length => (int)_length;

    /// <summary>Maps a descriptor's memory for reading and writing; the mapping is invalid when the system refused it.</summary>
    public static MappedMemory Map(FileDescriptor descriptor, int length) =>
        new(Libc.Map(0, (nuint)length, Libc.ProtRead | Libc.ProtWrite, Libc.MapShared, descriptor, 0), (nuint)length);

    /// <summary>A view of part of the memory, valid until the handle is disposed.</summary>
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

/// <summary>Keeps all other processes out of a folder's leases for a moment (flock(2) on a file in it); the kernel lets go of it with the process.</summary>
[SupportedOSPlatform("linux")]
public sealed class FolderLock : IDisposable
{
    const string FileName = "lock";
    const uint OwnerReadsAndWrites = 0x180;

    readonly FileDescriptor _file;

    FolderLock(FileDescriptor file) => _file = file;

    /// <summary>Waits for the lock.</summary>
    /// <param name="folder">The folder; made if it is not there.</param>
    /// <returns>The lock; disposing of it lets go.</returns>
    /// <exception cref="PlatformException">The system refused.</exception>
    public static FolderLock Take(string folder)
    {
        Directory.CreateDirectory(folder);
        FileDescriptor file = Libc.Open(Path.Combine(folder, FileName), Libc.ReadWrite | Libc.Create | Libc.CloseOnExec, OwnerReadsAndWrites);
        if (file.IsInvalid || Libc.Lock(file, Libc.LockExclusive) != 0)
        {
            PlatformException refused = PlatformException.FromLastError($"lock {folder}", "Run as root.");
            file.Dispose();
            throw refused;
        }

        return new FolderLock(file);
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
