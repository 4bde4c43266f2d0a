using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace TcpDiag.Rights;

/// <summary>Who may change a file or folder, by its owner and access list.</summary>
[SupportedOSPlatform("windows")]
public static class FileRights
{
    const AccessControlSections Sections = AccessControlSections.Owner | AccessControlSections.Access;

    /// <summary>Looks at a file or folder.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="self">Somebody to trust besides administrators and the system; null for nobody.</param>
    /// <returns>Who else can change it, a clause; null when nobody can.</returns>
    /// <exception cref="IOException">It is not there, or cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Its access list may not be read.</exception>
    public static string? WhyNotPrivate(string path, string? self) =>
        WhyNotPrivate(Directory.Exists(path) ? new DirectoryInfo(path).GetAccessControl(Sections) : new FileInfo(path).GetAccessControl(Sections), self);

    /// <summary>Looks at a security descriptor.</summary>
    /// <param name="security">The descriptor, with owner and access list.</param>
    /// <param name="self">Somebody to trust besides administrators and the system; null for nobody.</param>
    /// <returns>Who else can change what it protects, a clause; null when nobody can.</returns>
    public static string? WhyNotPrivate(FileSystemSecurity security, string? self)
    {
        ArgumentNullException.ThrowIfNull(security);
        return AccessCheck.WhyNotPrivate(
            security.GetOwner(typeof(SecurityIdentifier))?.Value ?? "nobody",
            security.GetAccessRules(includeExplicit: true, includeInherited: true, typeof(SecurityIdentifier))
                .Cast<FileSystemAccessRule>()
                .Where(rule => rule.AccessControlType == AccessControlType.Allow)
                .Select(rule => new AccessGrant(rule.IdentityReference.Value, (int)rule.FileSystemRights)),
            self,
            Name);
    }

    // The name is for people, and translated; the identifier is for whoever is asked for help.
    static string Name(string identifier)
    {
        try
        {
            return $"{new SecurityIdentifier(identifier).Translate(typeof(NTAccount)).Value} ({identifier})";
        }
        catch (Exception exception) when (exception is IdentityNotMappedException or ArgumentException)
        {
            return identifier;
        }
    }
}
