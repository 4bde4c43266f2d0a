using System;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.Shim.Linux;

/// <summary>Keeps all other processes out of a folder's leases for a moment (flock(2) on a file in it); the kernel lets go of it with the process.</summary>
[SupportedOSPlatform("linux")]
public sealed class FolderLock : IDisposable
{
    const string FileName = "lock";

    // O_RDWR | O_CREAT | O_CLOEXEC
    const int ReadWriteCreate = Libc.ReadWrite | 0x40 | Libc.CloseOnExec;

    // rw-------
    const uint OwnerOnly = 0x180;

    const int Exclusive = 2; // LOCK_EX

    readonly LinuxHandle _file;

    FolderLock(LinuxHandle file) => _file = file;

    /// <summary>Waits for the lock.</summary>
    /// <param name="folder">The folder; made if it is not there.</param>
    /// <returns>The lock; disposing of it lets go.</returns>
    /// <exception cref="ShimException">The system refused.</exception>
    public static FolderLock Take(string folder)
    {
        Directory.CreateDirectory(folder);
        LinuxHandle file = Libc.Open(Path.Combine(folder, FileName), ReadWriteCreate, OwnerOnly);
        if (file.IsInvalid || Libc.Lock(file, Exclusive) != 0)
        {
            ShimException refused = Libc.LastError($"lock {folder}", "Run as root.");
            file.Dispose();
            throw refused;
        }

        return new FolderLock(file);
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
