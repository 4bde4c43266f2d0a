using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace TcpDiag.Shim.Doctor;

/// <summary>What the kernel itself says of its code integrity, whoever has set it: a registry value, group policy or the firmware (SystemCodeIntegrityInformation).</summary>
[SupportedOSPlatform("windows")]
static partial class CodeIntegrity
{
    const int SystemCodeIntegrityInformation = 103;

    // CODEINTEGRITY_OPTION_HVCI_KMCI_ENABLED
    const uint MemoryIntegrityOption = 0x400;

    /// <summary>Whether memory integrity (HVCI) is in force now.</summary>
    /// <returns>True when it is; null when the kernel does not tell.</returns>
    public static bool? IsMemoryIntegrityOn()
    {
        var information = new Information { Length = (uint)Marshal.SizeOf<Information>() };
        return Query(SystemCodeIntegrityInformation, ref information, information.Length, out _) == 0 ? (information.Options & MemoryIntegrityOption) != 0 : null;
    }

    [LibraryImport("ntdll.dll", EntryPoint = "NtQuerySystemInformation")]
    private static partial int Query(int kind, ref Information information, uint length, out uint written);

    struct Information
    {
        public uint Length;
        public uint Options;
    }
}
