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

    static long ResidentBytes() =>
        long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1], CultureInfo.InvariantCulture) * Environment.SystemPageSize;
}
