using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace TcpDiag.Platform.Linux;

/// <summary>What the kernel knows about its clock (adjtimex(2)).</summary>
[SupportedOSPlatform("linux")]
public static unsafe partial class KernelClock
{
    const int StructBytes = 208; // struct timex of 64-bit systems
    const int StateUnsynchronised = 5; // TIME_ERROR

    /// <summary>Whether a program keeps it at the time of a server.</summary>
    /// <returns>Null when the kernel does not tell.</returns>
    public static bool? IsSynchronised()
    {
        byte* timex = stackalloc byte[StructBytes]; // modes = 0: nothing is changed
        new System.Span<byte>(timex, StructBytes).Clear();
        return Ask(timex) switch
        {
            < 0 => null,
            StateUnsynchronised => false,
            _ => true,
        };
    }

    [LibraryImport("libc", EntryPoint = "adjtimex")]
    private static partial int Ask(byte* timex);
}
