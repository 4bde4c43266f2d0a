using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace TcpDiag.Shim.Linux;

/// <summary>The system calls this project makes, as the C library has them on 64-bit Linux.</summary>
[SupportedOSPlatform("linux")]
static partial class Libc
{
    public const int Eintr = 4;
    public const int Eagain = 11;

    // <fcntl.h>, the generic ABI of x86-64 and arm64.
    public const int ReadOnly = 0;
    public const int ReadWrite = 2;
    public const int NonBlocking = 0x800;
    public const int CloseOnExec = 0x80000;

    public const short PollIn = 1;

    /// <summary>Opens a file; the handle is invalid when that was refused.</summary>
    public static LinuxHandle Open(string path, int flags, uint mode = 0) => new(OpenDescriptor(path, flags, mode));

    /// <summary>Opens a socket; the handle is invalid when that was refused.</summary>
    public static LinuxHandle Socket(int family, int type, int protocol) => new(OpenSocket(family, type, protocol));

    [LibraryImport("libc", EntryPoint = "close")]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(LinuxHandle file, Span<byte> buffer, nint length);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(LinuxHandle file, ReadOnlySpan<byte> buffer, nint length);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Control(LinuxHandle file, nuint request, Span<byte> argument);

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    public static partial int Poll(Span<PollEntry> entries, nuint count, in Timespec timeout, nint signals = 0);

    [LibraryImport("libc", EntryPoint = "bind", SetLastError = true)]
    public static partial int Bind(LinuxHandle socket, ReadOnlySpan<byte> address, uint length);

    [LibraryImport("libc", EntryPoint = "setsockopt", SetLastError = true)]
    public static partial int SetOption(LinuxHandle socket, int level, int option, in int value, uint length = sizeof(int));

    [LibraryImport("libc", EntryPoint = "sendto", SetLastError = true)]
    public static partial nint SendTo(LinuxHandle socket, ReadOnlySpan<byte> buffer, nint length, int flags, ReadOnlySpan<byte> address, uint addressLength);

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    public static partial int SetNamespace(LinuxHandle target, int kind);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    public static partial int Lock(LinuxHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "unshare", SetLastError = true)]
    public static partial int Unshare(int kinds);

    [LibraryImport("libc", EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Mount(string source, string target, string type, nuint flags, nint data);

    [LibraryImport("libc", EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unmount(string target, int flags);

    [LibraryImport("libc", EntryPoint = "sched_setscheduler", SetLastError = true)]
    public static partial int SetScheduler(int thread, int policy, in int priority);

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    public static partial int ControlProcess(int option, nuint argument, nuint unused3 = 0, nuint unused4 = 0, nuint unused5 = 0);

    // Descriptors are 32 bits wide: taken for a handle of 64 bits, −1 would look like a valid one.
    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenDescriptor(string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "socket", SetLastError = true)]
    private static partial int OpenSocket(int family, int type, int protocol);

    /// <summary>The exception for the call that has just been refused.</summary>
    public static ShimException LastError(string action, string cure)
    {
        int code = Marshal.GetLastPInvokeError();
        return new ShimException(action, code, Marshal.GetPInvokeErrorMessage(code), cure);
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PollEntry
    {
        public int Descriptor;
        public short Events;
        public short Returned;
    }

    [StructLayout(LayoutKind.Sequential)]
    public readonly record struct Timespec(long Seconds, long Nanoseconds)
    {
        const long NanosecondsPerSecond = 1_000_000_000;

        public static Timespec FromNanoseconds(long ns) => new(ns / NanosecondsPerSecond, ns % NanosecondsPerSecond);
    }
}
