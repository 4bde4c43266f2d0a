using System;
using System.Globalization;
using Microsoft.Win32;

namespace TcpDiag.Platform;

/// <summary>Which Windows this is, down to the revision that an update brings (UBR), of which <see cref="Environment.OSVersion"/> knows nothing.</summary>
public static class WindowsRevision
{
    const string Key = @"HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion";

    /// <summary>The version.</summary>
    /// <returns>E.g. <c>10.0.26100.4061</c>; without the last part where the registry does not have it, and elsewhere.</returns>
    public static string Version()
    {
        string version = Environment.OSVersion.Version.ToString(3);
        return OperatingSystem.IsWindows() && Registry.GetValue(Key, "UBR", null) is int revision
            ? string.Create(CultureInfo.InvariantCulture, $"{version}.{revision}")
            : version;
    }
}
