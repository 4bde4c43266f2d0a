using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace TcpDiag.Platform;

/// <summary>Who besides administrators may change a file or folder of Windows, by its owner and access list.</summary>
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

/// <summary>Rights that a folder's access list of Windows gives to somebody.</summary>
/// <param name="Who">Security identifier, e.g. <c>S-1-5-32-545</c> for all users.</param>
/// <param name="Rights">Access mask (winnt.h, ACCESS_MASK).</param>
public readonly record struct AccessGrant(string Who, int Rights);

/// <summary>
/// Whether only administrators can change a file or folder of Windows. It needs no Windows: identifiers and masks are the same
/// everywhere. Reading is not looked at. Entries that a folder only hands down count as well: what is made in it later has them.
/// </summary>
public static class AccessCheck
{
    // winnt.h: for a folder FILE_ADD_FILE, FILE_ADD_SUBDIRECTORY, FILE_WRITE_EA, FILE_DELETE_CHILD, FILE_WRITE_ATTRIBUTES;
    // DELETE, WRITE_DAC, WRITE_OWNER; GENERIC_ALL, GENERIC_WRITE. Of a file the same bits write, append and delete.
    const int ChangingRights = 0x2 | 0x4 | 0x10 | 0x40 | 0x100 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000 | 0x4000_0000;

    // Administrators, SYSTEM, TrustedInstaller; whoever creates something there (CREATOR OWNER) or owns it (OWNER RIGHTS) is one of them.
    static readonly string[] Trusted =
        ["S-1-5-32-544", "S-1-5-18", "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464", "S-1-3-0", "S-1-3-4"];

    /// <summary>Finds those who can change it without being administrators.</summary>
    /// <param name="owner">Identifier of the owner.</param>
    /// <param name="grants">What the access list allows; what it denies can only make it less.</param>
    /// <param name="self">Somebody else to trust, e.g. whom this process makes the owner of what it creates; null for nobody.</param>
    /// <param name="name">Names people by their identifiers; the identifiers themselves if not given.</param>
    /// <returns>Who can change it, a clause; null when only administrators can.</returns>
    public static string? WhyNotPrivate(string owner, IEnumerable<AccessGrant> grants, string? self, Func<string, string>? name = null)
    {
        ArgumentNullException.ThrowIfNull(grants);
        name ??= who => who;
        bool IsTrusted(string who) => string.Equals(who, self, StringComparison.Ordinal) || Trusted.Contains(who, StringComparer.Ordinal);
        if (!IsTrusted(owner))
        {
            return $"it belongs to {name(owner)}";
        }

        string others = string.Join(
            ", ",
            grants.Where(grant => (grant.Rights & ChangingRights) != 0 && !IsTrusted(grant.Who))
                .Select(grant => grant.Who)
                .Distinct(StringComparer.Ordinal)
                .Select(name));
        return others.Length == 0 ? null : $"{others} may change it";
    }
}
