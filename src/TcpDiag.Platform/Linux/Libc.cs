using System;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Platform.Linux;

/// <summary>The calls into the C library and the constants they take; numbers are the same on every 64-bit Linux we build for (x86-64, arm64).</summary>
static partial class Libc
{
    const string Library = "libc";

    // <fcntl.h>
    public const int ReadOnly = 0;
    public const int ReadWrite = 2;
    public const int Create = 0x40;
    public const int Exclusive = 0x80;
    public const int NonBlocking = 0x800;
    public const int CloseOnExec = 0x80000;
    public const int CurrentFolder = -100;
    public const int NoFollow = 0x100;
    public const uint StatxOwner = 0x8;

    // <sys/socket.h>; a socket takes NonBlocking and CloseOnExec with its type.
    public const int FamilyIpv4 = 2;
    public const int FamilyIpv6 = 10;
    public const int FamilyNetlink = 16;
    public const int FamilyPacket = 17;
    public const int SocketDatagram = 2;
    public const int SocketRaw = 3;
    public const int LevelSocket = 1;
    public const int LevelPacket = 263;
    public const int LevelNetlink = 270;

    // <sys/mman.h>
    public const int ProtRead = 1;
    public const int ProtWrite = 2;
    public const int MapShared = 1;

    // <time.h>
    public const int ClockRealtime = 0;
    public const int ClockMonotonic = 1;

    // <sched.h>
    public const int CloneNewNet = 0x4000_0000;
    public const int CloneNewFiles = 0x2_0000;
    public const int SchedFifo = 1;

    // <sys/mount.h>
    public const nuint MountBind = 0x1000;
    public const nuint MountRecursive = 0x4000;
    public const nuint MountSlave = 0x80000;
    public const nuint MountShared = 0x100000;
    public const int UnmountDetach = 2;

    /// <summary>LOCK_EX of flock(2).</summary>
    public const int LockExclusive = 2;

    /// <summary>PR_SET_TIMERSLACK of prctl(2).</summary>
    public const int SetTimerSlack = 29;

    // Numbers of system calls added after 2019 are the same on every architecture.
    public const nint SysFsOpen = 430;
    public const nint SysFsConfig = 431;
    public const nint SysFsMount = 432;

    [LibraryImport(Library, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial FileDescriptor Open(string path, int flags, uint mode = 0);

    [LibraryImport(Library, EntryPoint = "close")]
    internal static partial int Close(int descriptor);

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    internal static partial nint Read(FileDescriptor file, Span<byte> buffer, nint length);

    [LibraryImport(Library, EntryPoint = "write", SetLastError = true)]
    internal static partial nint Write(FileDescriptor file, ReadOnlySpan<byte> buffer, nint length);

    [LibraryImport(Library, EntryPoint = "ioctl", SetLastError = true)]
    internal static partial int Control(FileDescriptor file, nuint request, Span<byte> argument);

    [LibraryImport(Library, EntryPoint = "fcntl", SetLastError = true)]
    internal static partial int FileControl(SafeFileHandle file, int command, in FileLock argument);

    [LibraryImport(Library, EntryPoint = "flock", SetLastError = true)]
    internal static partial int Lock(FileDescriptor file, int operation);

    [LibraryImport(Library, EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int Statx(int folder, string path, int flags, uint mask, Span<byte> answer);

    [LibraryImport(Library, EntryPoint = "ppoll", SetLastError = true)]
    internal static partial int Poll(Span<PollDescriptor> descriptors, nuint count, in Timespec timeout, nint signals = 0);

    [LibraryImport(Library, EntryPoint = "socket", SetLastError = true)]
    internal static partial FileDescriptor Socket(int family, int type, int protocol);

    [LibraryImport(Library, EntryPoint = "bind", SetLastError = true)]
    internal static partial int Bind(FileDescriptor socket, ReadOnlySpan<byte> address, int length);

    [LibraryImport(Library, EntryPoint = "setsockopt", SetLastError = true)]
    internal static unsafe partial int SetOption(FileDescriptor socket, int level, int option, void* value, int length);

    [LibraryImport(Library, EntryPoint = "getsockopt", SetLastError = true)]
    internal static unsafe partial int GetOption(FileDescriptor socket, int level, int option, void* value, int* length);

    [LibraryImport(Library, EntryPoint = "sendto", SetLastError = true)]
    internal static partial nint SendTo(
        FileDescriptor socket, ReadOnlySpan<byte> buffer, nint length, int flags, ReadOnlySpan<byte> address, int addressLength);

    [LibraryImport(Library, EntryPoint = "recvmsg", SetLastError = true)]
    internal static partial nint ReceiveMessage(FileDescriptor socket, ref MessageHeader message, int flags);

    [LibraryImport(Library, EntryPoint = "mmap", SetLastError = true)]
    internal static partial nint Map(nint address, nuint length, int protection, int flags, FileDescriptor descriptor, nint offset);

    [LibraryImport(Library, EntryPoint = "munmap", SetLastError = true)]
    internal static partial int Unmap(nint address, nuint length);

    [LibraryImport(Library, EntryPoint = "madvise", SetLastError = true)]
    internal static partial int Advise(nint address, nuint length, int advice);

    [LibraryImport(Library, EntryPoint = "unshare", SetLastError = true)]
    internal static partial int Unshare(int kinds);

    [LibraryImport(Library, EntryPoint = "setns", SetLastError = true)]
    internal static partial int EnterNamespace(FileDescriptor target, int kind);

    [LibraryImport(Library, EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int Mount(string? source, string target, string? type, nuint flags, nint data = 0);

    [LibraryImport(Library, EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int Unmount(string target, int flags);

    [LibraryImport(Library, EntryPoint = "sched_setscheduler", SetLastError = true)]
    internal static partial int SetScheduler(int thread, int policy, in int priority);

    [LibraryImport(Library, EntryPoint = "prctl", SetLastError = true)]
    internal static partial int ControlProcess(int option, nuint argument, nuint unused3 = 0, nuint unused4 = 0, nuint unused5 = 0);

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

    /// <summary>Sets an option whose value is a number.</summary>
    internal static unsafe int SetOption(FileDescriptor socket, int level, int option, int value) => SetOption(socket, level, option, &value, sizeof(int));

    /// <summary>Nanoseconds of a clock.</summary>
    internal static long Now(int clock)
    {
        _ = GetTime(clock, out Timespec time);
        return time.TotalNanos;
    }

    /// <summary>errno of the latest call on this thread that sets it.</summary>
    internal static int LastError() => Marshal.GetLastPInvokeError();

    /// <summary>The system's words for an error number, e.g. <c>Operation not permitted (1)</c>.</summary>
    internal static string Describe(int error) => FormattableString.Invariant($"{Marshal.GetPInvokeErrorMessage(error)} ({error})");
}

/// <summary>The error numbers that are handled one by one (errno(3)).</summary>
static class Errno
{
    public const int NotPermitted = 1;
    public const int NoEntry = 2;
    public const int Interrupted = 4;
    public const int TryAgain = 11;
    public const int AccessDenied = 13;
    public const int Busy = 16;
    public const int NoDevice = 19;
    public const int InvalidArgument = 22;
    public const int NotSupported = 95;
}

/// <summary>struct timespec of a 64-bit system.</summary>
[StructLayout(LayoutKind.Sequential)]
readonly struct Timespec(long seconds, long nanos)
{
    const long NanosPerSecond = 1_000_000_000;

    readonly long _seconds = seconds;
    readonly long _nanos = nanos;

    public long TotalNanos => (_seconds * NanosPerSecond) + _nanos;

    public static Timespec FromNanos(long nanos) => new(nanos / NanosPerSecond, nanos % NanosPerSecond);
}

/// <summary>struct msghdr (recvmsg(2)) of a 64-bit system.</summary>
[StructLayout(LayoutKind.Sequential)]
unsafe struct MessageHeader
{
    /// <summary>Takes the sender's address.</summary>
    public void* Name;

    /// <summary>Its bytes.</summary>
    public uint NameLength;

    /// <summary>Where the data goes.</summary>
    public IoVector* Vectors;

    /// <summary>How many there are.</summary>
    public nuint VectorCount;

    /// <summary>Takes what goes with the data.</summary>
    public void* Control;

    /// <summary>Its bytes.</summary>
    public nuint ControlLength;

    /// <summary>MSG_… of what was received.</summary>
    public int Flags;
}

/// <summary>struct iovec.</summary>
[StructLayout(LayoutKind.Sequential)]
unsafe struct IoVector
{
    /// <summary>The first byte.</summary>
    public void* Base;

    /// <summary>How many bytes.</summary>
    public nuint Length;
}

/// <summary>struct pollfd (poll(2)).</summary>
[StructLayout(LayoutKind.Sequential)]
struct PollDescriptor
{
    /// <summary>There is something to read.</summary>
    public const short PollIn = 1;

    public int Descriptor;
    public short Events;
    public short Returned;
}

/// <summary>struct flock of fcntl(2), on 64-bit Linux.</summary>
[StructLayout(LayoutKind.Sequential)]
struct FileLock
{
    /// <summary>F_WRLCK.</summary>
    public const short Write = 1;

    /// <summary>l_type.</summary>
    public short Type;

    /// <summary>l_whence.</summary>
    public short Whence;

    /// <summary>l_start.</summary>
    public long Start;

    /// <summary>l_len; 0 for the whole file.</summary>
    public long Length;

    /// <summary>l_pid; 0 for a lock of the open file.</summary>
    public int Process;
}
