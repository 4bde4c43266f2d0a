using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Platform.Linux;

/// <summary>What becomes of memory that is freed.</summary>
public static partial class FreedMemory
{
    const int MmapThreshold = -3; // M_MMAP_THRESHOLD of malloc.h

    /// <summary>
    /// Has the C library give freed blocks back to the system, from a size on. By itself glibc keeps them once blocks of that size have been freed, in a heap
    /// for each thread: where work with much memory goes from thread to thread, every heap keeps as much as it ever held. Other systems and C libraries are
    /// left as they are.
    /// </summary>
    /// <param name="bytes">The size.</param>
    public static void GiveBackFrom(int bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        try
        {
            _ = MallOpt(MmapThreshold, bytes);
        }
        catch (EntryPointNotFoundException)
        {
            // A C library that has no such heaps: musl.
        }
    }

    [LibraryImport("libc", EntryPoint = "mallopt")]
    private static partial int MallOpt(int parameter, int value);
}
