using System;
using System.IO;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.StandIns;

/// <summary>A file with few rights, as a trace has them in the folder of its recording, that gets the rights of its folder.</summary>
[SupportedOSPlatform("windows")]
static class PrivateFile
{
    const AccessControlSections Sections = AccessControlSections.Access | AccessControlSections.Owner;

    /// <summary>Has it inherit; prints its access list before and after, and that of a file that is made beside it.</summary>
    /// <param name="path">The file.</param>
    /// <returns>0, or 1 where the rights were refused.</returns>
    public static int Inherit(string path)
    {
        Console.WriteLine($"before: {Rights(path)}");
        string? why = WindowsAccess.InheritRights(path);
        Console.WriteLine($"after: {Rights(path)}{why}");
        File.WriteAllText(path + ".beside", "made here");
        Console.WriteLine($"beside: {Rights(path + ".beside")}");
        return why is null ? 0 : 1;
    }

    static string Rights(string path) => new FileInfo(path).GetAccessControl(Sections).GetSecurityDescriptorSddlForm(Sections);
}
