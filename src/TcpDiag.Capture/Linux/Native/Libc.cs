using System;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Capture.Linux.Native;

/// <summary>The calls into the C library and the constants they take; numbers are the same on every 64-bit Linux we build for (x86-64, arm64).</summary>
static partial class Libc
{
    const string Library = "libc";

    public const int FamilyNetlink = 16;
    public const int FamilyPacket = 17;
    public const int SocketRaw = 3;
    public const int SocketCloseOnExec = 0x80000;
    public const int LevelSocket = 1;
    public const int LevelPacket = 263;

    public const int OpenReadOnly = 0;
    public const int OpenNonBlocking = 0x800;
    public const int OpenCloseOnExec = 0x80000;

    public const int ProtRead = 1;
    public const int ProtWrite = 2;
    public const int MapShared = 1;

    public const int ClockRealtime = 0;
    public const int ClockMonotonic = 1;

    public const int CloneNewNet = 0x40000000;
    public const int CloneNewFiles = 0x20000;

    public const nuint MountBind = 0x1000;
    public const nuint MountRecursive = 0x4000;
    public const nuint MountSlave = 0x80000;

    public const int CurrentFolder = -100;
    public const int NoFollow = 0x100;
    public const uint StatxOwner = 0x8;

    // Numbers of system calls added after 2019 are the same on every architecture.
    public const nint SysFsOpen = 430;
    public const nint SysFsConfig = 431;
    public const nint SysFsMount = 432;

    /// <summary>sched_setscheduler(2).</summary>
    [LibraryImport(Library, EntryPoint = "sched_setscheduler", SetLastError = true)]
    internal static partial int SetScheduler(int thread, int policy, in int priority);

    [LibraryImport(Library, EntryPoint = "socket", SetLastError = true)]
    internal static partial FileDescriptor OpenSocket(int family, int type, int protocol);

    [LibraryImport(Library, EntryPoint = "bind", SetLastError = true)]
    internal static unsafe partial int Bind(FileDescriptor socket, byte* address, int length);

    [LibraryImport(Library, EntryPoint = "setsockopt", SetLastError = true)]
    internal static unsafe partial int SetSocketOption(FileDescriptor socket, int level, int option, void* value, int length);

    [LibraryImport(Library, EntryPoint = "getsockopt", SetLastError = true)]
    internal static unsafe partial int GetSocketOption(FileDescriptor socket, int level, int option, void* value, int* length);

    [LibraryImport(Library, EntryPoint = "ioctl", SetLastError = true)]
    internal static unsafe partial int Control(FileDescriptor descriptor, nuint request, void* argument);

    [LibraryImport(Library, EntryPoint = "unshare", SetLastError = true)]
    internal static partial int Unshare(int flags);

    [LibraryImport(Library, EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int Mount(string? source, string target, string? type, nuint flags, nint data = 0);

    [LibraryImport(Library, EntryPoint = "fcntl", SetLastError = true)]
    internal static partial int FileControl(SafeFileHandle file, int command, in FileLock argument);

    [LibraryImport(Library, EntryPoint = "mmap", SetLastError = true)]
    internal static partial nint Map(nint address, nuint length, int protection, int flags, FileDescriptor descriptor, nint offset);

    [LibraryImport(Library, EntryPoint = "munmap", SetLastError = true)]
    internal static partial int Unmap(nint address, nuint length);

    [LibraryImport(Library, EntryPoint = "poll", SetLastError = true)]
    internal static unsafe partial int Poll(PollDescriptor* descriptors, nuint count, int timeoutMilliseconds);

    [LibraryImport(Library, EntryPoint = "send", SetLastError = true)]
    internal static unsafe partial nint Send(FileDescriptor socket, byte* data, nuint length, int flags);

    [LibraryImport(Library, EntryPoint = "recv", SetLastError = true)]
    internal static unsafe partial nint Receive(FileDescriptor socket, byte* data, nuint length, int flags);

    [LibraryImport(Library, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial FileDescriptor Open(string path, int flags);

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    internal static unsafe partial nint Read(FileDescriptor descriptor, byte* data, nuint length);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    internal static partial int Close(int descriptor);

    [LibraryImport(Library, EntryPoint = "setns", SetLastError = true)]
    internal static partial int EnterNamespace(FileDescriptor descriptor, int kind);

    [LibraryImport(Library, EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static unsafe partial int Statx(int folder, string path, int flags, uint mask, byte* answer);

    [LibraryImport(Library, EntryPoint = "geteuid")]
    internal static partial uint UserId();

    [LibraryImport(Library, EntryPoint = "clock_gettime")]
    [SuppressGCTransition]
    internal static partial int GetTime(int clock, out Timespec time);

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial nint FsOpen(nint number, string fileSystem, nint flags);

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true)]
    internal static partial nint FsConfig(nint number, nint fileSystem, nint command, nint key, nint value, nint extra);

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true)]
    internal static partial FileDescriptor FsMount(nint number, nint fileSystem, nint flags, nint attributes);

    /// <summary>Nanoseconds of a clock.</summary>
    /// <param name="clock">Which clock.</param>
    /// <returns>Its reading.</returns>
    internal static long Now(int clock)
    {
        _ = GetTime(clock, out Timespec time);
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    /// <summary>The error number of the latest call that sets it.</summary>
    /// <returns>errno.</returns>
    internal static int LastError() => Marshal.GetLastPInvokeError();

    /// <summary>The system's words for an error number.</summary>
    /// <param name="error">errno.</param>
    /// <returns>E.g. <c>Operation not permitted (1)</c>.</returns>
    internal static string Describe(int error) => FormattableString.Invariant($"{Marshal.GetPInvokeErrorMessage(error)} ({error})");
}
