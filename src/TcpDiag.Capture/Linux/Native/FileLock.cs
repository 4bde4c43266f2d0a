using System.Runtime.InteropServices;

namespace TcpDiag.Capture.Linux.Native;

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
