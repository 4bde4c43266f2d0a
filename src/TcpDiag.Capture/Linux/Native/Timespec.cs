using System.Runtime.InteropServices;

namespace TcpDiag.Capture.Linux.Native;

/// <summary>struct timespec of a 64-bit system.</summary>
[StructLayout(LayoutKind.Sequential)]
struct Timespec
{
    /// <summary>Whole seconds.</summary>
    public long Seconds;

    /// <summary>Nanoseconds, 0 … 999,999,999.</summary>
    public long Nanoseconds;
}
