using System;
using System.IO;
using TcpDiag.Capture.Windows;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Capture.Sessions.Journal;

/// <summary>
/// Folders that only administrators (root) may read and write: a trace is private data, and anybody who could write a
/// journal could have files moved with the rights of a recovery. Anybody may make folders in
/// <c>%ProgramData%</c>, so an existing one is checked before it is trusted.
/// </summary>
public static class PrivateFolder
{
    /// <summary>Creates a folder, unless it is there.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="whyNotPrivate">Judges a folder: <see cref="WhyNot"/>, or what a machine says.</param>
    /// <exception cref="CaptureException">Others can change it, or the folder it is in.</exception>
    public static void Create(string path, Func<string, string?> whyNotPrivate)
    {
        foreach (string folder in new[] { Path.GetDirectoryName(path)!, path })
        {
            if (!Directory.Exists(folder))
            {
                Make(folder);
            }

            // Also after creating it: someone else may have created it just before.
            Require(folder, whyNotPrivate);
        }
    }

    /// <summary>Requires that only administrators can change a file or folder.</summary>
    /// <exception cref="CaptureException">Others can.</exception>
    public static void Require(string path, Func<string, string?> whyNotPrivate)
    {
        if (whyNotPrivate(path) is { } why)
        {
            throw new CaptureException(
                $"{path} cannot be trusted: {why}. Whoever made it could have files moved or removed with our rights. Look into it, remove it, and try again.");
        }
    }

    /// <summary>Who other than administrators can change a file or folder of this system.</summary>
    /// <returns>A clause; null when nobody can.</returns>
    public static string? WhyNot(string path)
    {
        var file = new FileInfo(path);
        if ((int)file.Attributes == -1)
        {
            return null;
        }

        if (file.Attributes.HasFlag(FileAttributes.ReparsePoint))
        {
            return "it is a link to somewhere else";
        }

        return OperatingSystem.IsWindows() ? WindowsAccess.WhyNotPrivate(path)
            : OperatingSystem.IsLinux() ? FileOwner.WhyNotPrivate(path)
            : null; // nothing is recorded on other systems
    }

    static void Make(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            WindowsAccess.CreatePrivate(path);
        }
        else
        {
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }
}
