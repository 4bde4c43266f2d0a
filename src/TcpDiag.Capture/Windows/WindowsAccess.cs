using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>Owners and access lists of folders.</summary>
[SupportedOSPlatform("windows")]
static class WindowsAccess
{
    /// <summary>Creates a folder that only administrators and the system may read and write; what is made in it likewise.</summary>
    /// <param name="path">Its path.</param>
    public static void CreatePrivate(string path)
    {
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

        new DirectoryInfo(path).Create(security);
    }

    /// <summary>Looks at a file or folder.</summary>
    /// <param name="path">Its path.</param>
    /// <returns>Who but administrators can change it, a clause; null when nobody can.</returns>
    public static string? WhyNotPrivate(string path)
    {
        const AccessControlSections Sections = AccessControlSections.Owner | AccessControlSections.Access;
        FileSystemSecurity security = Directory.Exists(path)
            ? new DirectoryInfo(path).GetAccessControl(Sections)
            : new FileInfo(path).GetAccessControl(Sections);
        using WindowsIdentity self = WindowsIdentity.GetCurrent();
        return AccessCheck.WhyNotPrivate(
            security.GetOwner(typeof(SecurityIdentifier))?.Value ?? "nobody",
            security.GetAccessRules(includeExplicit: true, includeInherited: true, typeof(SecurityIdentifier))
                .Cast<FileSystemAccessRule>()
                .Where(rule => rule.AccessControlType == AccessControlType.Allow)
                .Select(rule => new AccessGrant(rule.IdentityReference.Value, (int)rule.FileSystemRights)),
            self.Owner?.Value ?? string.Empty);
    }
}
