using System;

namespace TcpDiag.Shim.Doctor;

/// <summary>Paths of drivers, which the registry holds as the kernel reads them.</summary>
static class DriverPath
{
    const string NativePrefix = @"\??\";
    const string RootPrefix = @"\SystemRoot\";

    /// <summary>The path by which a program opens the file.</summary>
    /// <param name="imagePath">ImagePath of the service: of Win32, <c>\??\C:\…</c>, <c>\SystemRoot\…</c>, or below the folder of Windows (<c>system32\drivers\…</c>); empty where it has none.</param>
    /// <param name="windows">The folder of Windows.</param>
    /// <returns>The path; empty where there is none.</returns>
    public static string ToWin32(string imagePath, string windows) =>
        imagePath.StartsWith(NativePrefix, StringComparison.Ordinal) ? imagePath[NativePrefix.Length..]
        : imagePath.StartsWith(RootPrefix, StringComparison.OrdinalIgnoreCase) ? Below(windows, imagePath[RootPrefix.Length..])
        : imagePath.Length == 0 || imagePath[0] is '\\' or '"' || imagePath.Contains(':', StringComparison.Ordinal) ? imagePath
        : Below(windows, imagePath);

    static string Below(string windows, string path) => windows.TrimEnd('\\') + '\\' + path;
}
