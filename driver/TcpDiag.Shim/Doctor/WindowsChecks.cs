using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.Principal;
using Microsoft.Win32;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Shim.Doctor;

/// <summary>What WinDivert needs.</summary>
[SupportedOSPlatform("windows")]
static class WindowsChecks
{
    const string Control = @"SYSTEM\CurrentControlSet\Control\";
    const string Services = @"SYSTEM\CurrentControlSet\Services\";

    // The Start value of a service that cannot be started.
    const int Disabled = 4;

    public static IReadOnlyList<DoctorCheck> Make(string folder, bool mayLoad) =>
    [
        Rights(),
        Files(folder),
        FilteringEngine(),
        MemoryIntegrity(),
        Blocklist(),
        .. OtherDrivers.Find(folder),
        Timer(),
        Load(folder, mayLoad),
    ];

    static DoctorCheck Rights()
    {
        using WindowsIdentity identity = WindowsIdentity.GetCurrent();
        return new WindowsPrincipal(identity).IsInRole(WindowsBuiltInRole.Administrator)
            ? new DoctorCheck("rights", true, "This process has administrator rights.", null)
            : new DoctorCheck("rights", false, "This process has no administrator rights.", DivertErrors.Find(DivertErrors.AccessDenied).Cure);
    }

    static DoctorCheck Files(string folder)
    {
        try
        {
            using DivertFiles files = new(folder, DivertPins.Release, FolderRights.FindWeakness);
            return new DoctorCheck(
                "files", true, $"{files.Folder} holds WinDivert 2.2 as its author has signed it, and only administrators can change it.", null);
        }
        catch (ShimException refused)
        {
            return new DoctorCheck("files", false, refused.Message, "Run windivert\\fetch.ps1, beside tcpdiag.exe, from an elevated prompt.");
        }
    }

    static DoctorCheck FilteringEngine() => Number(Services + "BFE", "Start") switch
    {
        null => new DoctorCheck("filtering-engine", null, "There is no Base Filtering Engine here.", DivertErrors.Find(1753).Cure),
        Disabled => new DoctorCheck("filtering-engine", false, "The Base Filtering Engine is disabled.", DivertErrors.Find(1753).Cure),
        _ => new DoctorCheck("filtering-engine", true, "The Base Filtering Engine may run.", null),
    };

    // What runs now, not what was set: that may come from group policy too, and needs a restart.
    static DoctorCheck MemoryIntegrity() => CodeIntegrity.IsMemoryIntegrityOn() switch
    {
        true => new DoctorCheck(
            "memory-integrity",
            null,
            "Memory integrity (HVCI) is on: it takes only drivers that are built for it, and may refuse this one (error 1275 or 577).",
            "See docs/shim-windows.md, \"When Windows blocks the driver\"."),
        false => new DoctorCheck("memory-integrity", true, "Memory integrity (HVCI) is off.", null),
        null => new DoctorCheck("memory-integrity", null, "The kernel does not say whether memory integrity (HVCI) is on.", null),
    };

    static DoctorCheck Blocklist() => Number(Control + @"CI\Config", "VulnerableDriverBlocklistEnable") is 0
        ? new DoctorCheck("driver-blocklist", true, "The list of vulnerable drivers is not enforced.", null)
        : new DoctorCheck(
            "driver-blocklist",
            true,
            "The list of vulnerable drivers may be enforced; WinDivert 2.2 was not on it when this was written. A driver on it fails with error 1275.",
            null);

    static DoctorCheck Timer()
    {
        using WakeTimer timer = new();
        return timer.IsHighResolution
            ? new DoctorCheck("timer", true, "Timers of high resolution are there.", null)
            : new DoctorCheck("timer", null, "There are no timers of high resolution: packets leave up to 2 ms late.", "They came with Windows 10 1803.");
    }

    static DoctorCheck Load(string folder, bool mayLoad)
    {
        if (!mayLoad)
        {
            return new DoctorCheck("driver", null, "The driver was not loaded.", "With --load it is tried, with a filter that takes no packet.");
        }

        try
        {
            using DivertFiles files = new(folder, DivertPins.Release, FolderRights.FindWeakness);
            DivertLibrary.Load(files);
            using DivertHandle handle = DivertPort.Open("false", DivertLayer.Network, 0, DivertModes.None);
            return new DoctorCheck("driver", true, $"The driver is loaded, version {Version(handle)}.", null);
        }
        catch (ShimException refused)
        {
            return new DoctorCheck("driver", false, refused.Message, refused.Code == 0 ? "See the check of the files." : DivertErrors.Find(refused.Code).Cure);
        }
    }

    static string Version(DivertHandle handle) =>
        DivertNative.GetParameter(handle, DivertParameter.VersionMajor, out ulong major)
        && DivertNative.GetParameter(handle, DivertParameter.VersionMinor, out ulong minor)
            ? FormattableString.Invariant($"{major}.{minor}")
            : "unknown";

    static int? Number(string key, string value)
    {
        using RegistryKey? opened = Registry.LocalMachine.OpenSubKey(key);
        return opened?.GetValue(value) as int?;
    }
}

/// <summary>
/// The state of code integrity as the kernel itself reports it, wherever it was set: a registry value, group policy or the firmware
/// (SystemCodeIntegrityInformation).
/// </summary>
[SupportedOSPlatform("windows")]
static partial class CodeIntegrity
{
    const int SystemCodeIntegrityInformation = 103;

    // CODEINTEGRITY_OPTION_HVCI_KMCI_ENABLED
    const uint MemoryIntegrityOption = 0x400;

    /// <summary>Whether memory integrity (HVCI) is in force now.</summary>
    /// <returns>True when it is; null when the kernel does not say.</returns>
    public static bool? IsMemoryIntegrityOn()
    {
        var information = new Information { Length = (uint)Marshal.SizeOf<Information>() };
        return Query(SystemCodeIntegrityInformation, ref information, information.Length, out _) == 0
            ? (information.Options & MemoryIntegrityOption) != 0
            : null;
    }

    [LibraryImport("ntdll.dll", EntryPoint = "NtQuerySystemInformation")]
    private static partial int Query(int kind, ref Information information, uint length, out uint written);

    struct Information
    {
        public uint Length;
        public uint Options;
    }
}
