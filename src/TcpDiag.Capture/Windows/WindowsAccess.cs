using System;
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
    // A list without an entry of its own, which takes those of its folder. No list at all would let everybody in.
    const string NoneButInherited = "D:AI";

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

    /// <summary>Gives a file the rights of a file that this process makes in its folder.</summary>
    /// <param name="path">Its path.</param>
    /// <returns>Why it cannot, a sentence; null when it has them.</returns>
    public static string? InheritRights(string path)
    {
        try
        {
            TryOwn(path);
            var security = new FileSecurity();
            security.SetSecurityDescriptorSddlForm(NoneButInherited, AccessControlSections.Access);
            new FileInfo(path).SetAccessControl(security);
            return null;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            return exception.Message;
        }
    }

    // A trace belongs to the system, which wrote it. What a folder grants to the owner of a file is worked out from him, so he comes first; but its list matters more.
    static void TryOwn(string path)
    {
        using WindowsIdentity self = WindowsIdentity.GetCurrent();
        if (self.Owner is not { } owner)
        {
            return;
        }

        try
        {
            var security = new FileSecurity();
            security.SetOwner(owner);
            new FileInfo(path).SetAccessControl(security);
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            // The owner stays.
        }
    }

    // What Windows says of a file system, or of rights, is one of these.
    static bool IsRefusal(Exception exception) => exception is IOException or UnauthorizedAccessException or InvalidOperationException or NotSupportedException;

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
