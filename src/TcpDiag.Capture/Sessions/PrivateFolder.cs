using System;
using System.IO;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// Folders that only administrators (root) may read and write: a trace is somebody's private data, and a journal that
/// anybody could write would let him have files moved by whoever recovers it. Anybody may make folders in
/// <c>%ProgramData%</c>, so one that is there already is looked at before it is trusted.
/// </summary>
static class PrivateFolder
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

            // Also after making it: it may have been made by somebody else just before.
            Require(folder, whyNotPrivate);
        }
    }

    /// <summary>Makes sure that only administrators can change a file or folder.</summary>
    /// <param name="path">Its path; what is not there can be changed by nobody.</param>
    /// <param name="whyNotPrivate">Judges it.</param>
    /// <exception cref="CaptureException">Others can.</exception>
    public static void Require(string path, Func<string, string?> whyNotPrivate)
    {
        if (whyNotPrivate(path) is { } why)
        {
            throw new CaptureException(
                $"{path} cannot be trusted: {why}. Whoever made it could have files moved or removed with our rights. Look into it, remove it, and try again.");
        }
    }

    /// <summary>Who but administrators can change a file or folder of this system.</summary>
    /// <param name="path">Its path; what is not there can be changed by nobody.</param>
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
            : null; // Nothing is recorded elsewhere.
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
