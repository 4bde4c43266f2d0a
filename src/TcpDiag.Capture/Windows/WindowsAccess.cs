using System.IO;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using TcpDiag.Rights;

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
        using WindowsIdentity self = WindowsIdentity.GetCurrent();

        // Whom this process makes the owner of what it creates: Administrators, where an elevated process differs from its user.
        return FileRights.WhyNotPrivate(path, self.Owner?.Value);
    }
}
