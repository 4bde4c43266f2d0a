using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using TcpDiag.Platform.Linux;
using Xunit;

namespace TcpDiag.Platform.Tests.Linux;

/// <summary>Pages are there before their first use.</summary>
public sealed class FreshMemoryTests
{
    const int Bytes = 64 << 20; // far more than anything else takes meanwhile

    [Fact]
    public void Populate_WholePages_AreResident()
    {
        if (!OperatingSystem.IsOSPlatformVersionAtLeast("Linux", 5, 14))
        {
            return; // each page is made at its first use there
        }

        nint memory = Marshal.AllocHGlobal(Bytes); // so much comes from the system, untouched
        try
        {
            long before = ResidentBytes();
            FreshMemory.Populate(memory + 1, Bytes - 2);
            Assert.InRange(ResidentBytes() - before, Bytes * 3L / 4, Bytes * 2L);
            Assert.Equal(0, Marshal.ReadByte(memory, Bytes / 2));
        }
        finally
        {
            Marshal.FreeHGlobal(memory);
        }
    }

    [Fact]
    public void PreferHugePages_WhereTheSystemGivesThem_OneUseBringsAll()
    {
        const string Setting = "/sys/kernel/mm/transparent_hugepage/enabled";
        if (!File.Exists(Setting) || File.ReadAllText(Setting).Contains("[never]", StringComparison.Ordinal))
        {
            return; // asking changes nothing there
        }

        const int Huge = 2 << 20;
        nint memory = Marshal.AllocHGlobal(Bytes);
        try
        {
            nint first = (memory + Huge - 1) & -Huge;
            long before = ResidentBytes();
            FreshMemory.PreferHugePages(first, Bytes - Huge);
            for (int page = 0; page < (Bytes / Huge) - 1; page++)
            {
                Marshal.WriteByte(first, page * Huge, 7);
            }

            // Where memory is in pieces the system gives small pages for some.
            Assert.InRange(ResidentBytes() - before, 4 * Huge, Bytes * 2L);
        }
        finally
        {
            Marshal.FreeHGlobal(memory);
        }
    }

    static long ResidentBytes() =>
        long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1], CultureInfo.InvariantCulture) * Environment.SystemPageSize;
}
