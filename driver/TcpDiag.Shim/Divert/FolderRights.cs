using System;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Rights;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Who may change what is in a folder. A driver is loaded into the kernel: whoever can exchange its file, or give himself the right to, has the machine.
/// </summary>
[SupportedOSPlatform("windows")]
static class FolderRights
{
    /// <summary>Looks for somebody without administrator rights who could change the folder or a file in it.</summary>
    /// <param name="folder">The folder.</param>
    /// <returns>Who, as a sentence; null when nobody can.</returns>
    public static string? FindWeakness(string folder)
    {
        for (DirectoryInfo? part = new(folder); part is not null; part = part.Parent)
        {
            if (part.Attributes.HasFlag(FileAttributes.ReparsePoint))
            {
                return $"{part.FullName} is a link, which may lead somewhere else by the time the driver is loaded.";
            }
        }

        if (IsElsewhere(folder))
        {
            return "it is on another machine, which decides by itself what is in a file each time it is read.";
        }

        if (FileRights.WhyNotPrivate(folder, self: null) is { } why)
        {
            return $"{why}.";
        }

        foreach (string file in Directory.EnumerateFiles(folder))
        {
            if (FileRights.WhyNotPrivate(file, self: null) is { } whyFile)
            {
                return $"{Path.GetFileName(file)}: {whyFile}.";
            }
        }

        return null;
    }

    static bool IsElsewhere(string folder) => folder.StartsWith(@"\\", StringComparison.Ordinal) || new DriveInfo(Path.GetPathRoot(folder)!).DriveType == DriveType.Network;
}
