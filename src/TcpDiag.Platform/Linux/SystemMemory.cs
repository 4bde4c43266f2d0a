using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Platform.Linux;

/// <summary>Memory that was taken from the system and not used yet.</summary>
public static class FreshMemory
{
    const int PopulateWrite = 23; // MADV_POPULATE_WRITE of linux/mman.h, since Linux 5.14

    const int HugePage = 14; // MADV_HUGEPAGE of linux/mman.h

    /// <summary>Has the system use huge pages where it has such, and is set up to give them to who asks. Other systems are left as they are.</summary>
    /// <param name="address">Where the memory begins: at a multiple of their size.</param>
    /// <param name="bytes">How much of it.</param>
    public static void PreferHugePages(nint address, long bytes)
    {
        if (OperatingSystem.IsLinux())
        {
            _ = Libc.Advise(address, (nuint)bytes, HugePage);
        }
    }

    /// <summary>
    /// Has the system provide the pages at one go, where all of them will be used: one after the other, each at its first use, takes twice as long. Other
    /// systems and older kernels are left as they are, and do that.
    /// </summary>
    /// <param name="address">Where the memory begins.</param>
    /// <param name="bytes">How much of it.</param>
    public static void Populate(nint address, long bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        long page = Environment.SystemPageSize;
        long begin = (address + page - 1) & -page;
        long end = (address + bytes) & -page;
        if (end > begin)
        {
            _ = Libc.Advise((nint)begin, (nuint)(end - begin), PopulateWrite);
        }
    }
}

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
