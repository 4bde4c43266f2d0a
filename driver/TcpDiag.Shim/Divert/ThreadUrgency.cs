using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// The highest priority Windows gives without a privilege of its own: THREAD_PRIORITY_TIME_CRITICAL, 15 of 31. The threads that get it wait for packets and timers
/// and never spin.
/// </summary>
[SupportedOSPlatform("windows")]
static partial class ThreadUrgency
{
    const int TimeCritical = 15;

    /// <summary>Raises the calling thread.</summary>
    /// <returns>False when the system does not allow it.</returns>
    public static bool TryRaise() => SetThreadPriority(GetCurrentThread(), TimeCritical);

    // A pseudo handle that is not to be closed.
    [LibraryImport("kernel32", EntryPoint = "GetCurrentThread")]
    private static partial nint GetCurrentThread();

    [LibraryImport("kernel32", EntryPoint = "SetThreadPriority", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetThreadPriority(nint thread, int priority);
}
