using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Who may change what is in a folder. A driver is loaded into the kernel: whoever can exchange its file, or give himself the right to, has the machine.
/// </summary>
[SupportedOSPlatform("windows")]
static class FolderRights
{
    const FileSystemRights Changing = FileSystemRights.WriteData | FileSystemRights.AppendData | FileSystemRights.Delete | FileSystemRights.DeleteSubdirectoriesAndFiles
        | FileSystemRights.ChangePermissions | FileSystemRights.TakeOwnership;

    // GENERIC_ALL and GENERIC_WRITE, which stand in entries that are only inherited.
    const int GenericChanging = 0x1000_0000 | 0x4000_0000;

    // Local System, Administrators, and TrustedInstaller (the service that owns the files of Windows).
    static readonly HashSet<string> Trusted = ["S-1-5-18", "S-1-5-32-544", "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"];

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

        if (FindWeakness(new DirectoryInfo(folder).GetAccessControl(), "the folder") is { } weakness)
        {
            return weakness;
        }

        foreach (FileInfo file in new DirectoryInfo(folder).EnumerateFiles())
        {
            if (FindWeakness(file.GetAccessControl(), file.Name) is { } inFile)
            {
                return inFile;
            }
        }

        return null;
    }

    /// <summary>Looks for somebody without administrator rights in a security descriptor.</summary>
    /// <param name="security">The descriptor.</param>
    /// <param name="what">What it protects, in words.</param>
    /// <returns>Who, as a sentence; null when nobody can.</returns>
    public static string? FindWeakness(FileSystemSecurity security, string what)
    {
        IdentityReference? owner = security.GetOwner(typeof(SecurityIdentifier));
        if (owner is null || !Trusted.Contains(owner.Value))
        {
            return $"{what} belongs to {Name(owner)}, who can give himself every right.";
        }

        foreach (FileSystemAccessRule rule in security.GetAccessRules(includeExplicit: true, includeInherited: true, typeof(SecurityIdentifier)))
        {
            if (rule.AccessControlType == AccessControlType.Allow && MayChange(rule) && !Trusted.Contains(rule.IdentityReference.Value))
            {
                return $"{what} may be changed by {Name(rule.IdentityReference)}.";
            }
        }

        return null;
    }

    // An entry that is only handed down says nothing of the object itself; what it became in a file is looked at there. CREATOR OWNER stands in such entries.
    static bool MayChange(FileSystemAccessRule rule) =>
        (rule.PropagationFlags & PropagationFlags.InheritOnly) == 0
        && ((rule.FileSystemRights & Changing) != 0 || ((int)rule.FileSystemRights & GenericChanging) != 0);

    static string Name(IdentityReference? identity)
    {
        try
        {
            return identity?.Translate(typeof(NTAccount)).Value ?? "nobody";
        }
        catch (IdentityNotMappedException)
        {
            return identity!.Value;
        }
    }
}
