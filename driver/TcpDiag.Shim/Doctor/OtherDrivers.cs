using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
using System.Security;
using Microsoft.Win32;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Shim.Doctor;

/// <summary>
/// Drivers that divert packets and are installed already, by other programs: the first WinDivert that was loaded serves all, and other versions and
/// products see the same packets.
/// </summary>
[SupportedOSPlatform("windows")]
static class OtherDrivers
{
    const string Services = @"SYSTEM\CurrentControlSet\Services";
    const string Word = "divert";

    /// <summary>Looks through the services.</summary>
    /// <returns>A check for each; one that says so when there is none.</returns>
    public static IEnumerable<DoctorCheck> Find(string folder)
    {
        List<DoctorCheck> found = [];
        using RegistryKey? services = Registry.LocalMachine.OpenSubKey(Services);
        foreach (string name in services?.GetSubKeyNames() ?? [])
        {
            string path = ReadPath(services!, name);
            if (name.Contains(Word, StringComparison.OrdinalIgnoreCase) || Path.GetFileName(path).Contains(Word, StringComparison.OrdinalIgnoreCase))
            {
                found.Add(Judge(name, path, folder));
            }
        }

        return found.Count > 0 ? found : [new DoctorCheck("other-drivers", true, "No other driver that diverts packets is installed.", null)];
    }

    static DoctorCheck Judge(string name, string path, string folder)
    {
        string own = Path.Join(Path.GetFullPath(folder), DivertFiles.DriverName);
        bool isOurs = string.Equals(path, own, StringComparison.OrdinalIgnoreCase) || IsGenuine(path);
        return isOurs
            ? new DoctorCheck("other-drivers", true, $"The service {name} is WinDivert 2.2, from {path}.", null)
            : new DoctorCheck(
                "other-drivers",
                null,
                $"The service {name} diverts packets too, from {path}, which is not the driver of this release.",
                $"End the program it belongs to; if it is WinDivert: sc stop {name}, then: sc delete {name}");
    }

    static bool IsGenuine(string path)
    {
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return string.Equals(DivertFiles.Hash(file), DivertPins.Release.Driver, StringComparison.Ordinal);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Gone, or not to be read: not known to be the one.
            return false;
        }
    }

    static string ReadPath(RegistryKey services, string name)
    {
        try
        {
            using RegistryKey? service = services.OpenSubKey(name);
            return DriverPath.ToWin32(service?.GetValue("ImagePath") as string ?? string.Empty, Environment.GetFolderPath(Environment.SpecialFolder.Windows));
        }
        catch (SecurityException)
        {
            // Some services may be read by the system only.
            return string.Empty;
        }
    }
}

/// <summary>Paths of drivers, which the registry holds as the kernel reads them.</summary>
static class DriverPath
{
    const string NativePrefix = @"\??\";
    const string RootPrefix = @"\SystemRoot\";

    /// <summary>The path by which a program opens the file.</summary>
    /// <param name="imagePath">ImagePath of the service: of Win32, <c>\??\C:\…</c>, <c>\SystemRoot\…</c>, or below the folder of Windows
    /// (<c>system32\drivers\…</c>); empty where it has none.</param>
    /// <param name="windows">The folder of Windows.</param>
    /// <returns>The path; empty where there is none.</returns>
    public static string ToWin32(string imagePath, string windows) =>
        imagePath.StartsWith(NativePrefix, StringComparison.Ordinal) ? imagePath[NativePrefix.Length..]
        : imagePath.StartsWith(RootPrefix, StringComparison.OrdinalIgnoreCase) ? Below(windows, imagePath[RootPrefix.Length..])
        : imagePath.Length == 0 || imagePath[0] is '\\' or '"' || imagePath.Contains(':', StringComparison.Ordinal) ? imagePath
        : Below(windows, imagePath);

    static string Below(string windows, string path) => windows.TrimEnd('\\') + '\\' + path;
}
