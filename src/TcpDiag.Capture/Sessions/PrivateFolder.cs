using System;
using System.IO;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// Folders that only administrators (root) may read and write: a trace is somebody's private data, and a journal that
/// anybody could write would let him have files moved by whoever recovers it.
/// </summary>
static class PrivateFolder
{
    /// <summary>Creates a folder; one that exists stays as it is.</summary>
    /// <param name="path">Its path.</param>
    /// <exception cref="CaptureException">It exists and others may write it.</exception>
    public static void Create(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            CreateOnWindows(path);
        }
        else
        {
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    [SupportedOSPlatform("windows")]
    static void CreateOnWindows(string path)
    {
        var folder = new DirectoryInfo(path);
        if (folder.Exists)
        {
            return;
        }

        var security = new DirectorySecurity();
        security.SetAccessRuleProtection(isProtected: true, preserveInheritance: false);
        foreach (WellKnownSidType who in new[] { WellKnownSidType.BuiltinAdministratorsSid, WellKnownSidType.LocalSystemSid })
        {
            security.AddAccessRule(new(
                new SecurityIdentifier(who, null),
                FileSystemRights.FullControl,
                InheritanceFlags.ContainerInherit | InheritanceFlags.ObjectInherit,
                PropagationFlags.None,
                AccessControlType.Allow));
        }

        Directory.CreateDirectory(folder.Parent!.FullName);
        folder.Create(security);
    }
}
