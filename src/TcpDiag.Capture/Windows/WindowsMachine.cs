using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.NetworkInformation;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Platform;

namespace TcpDiag.Capture.Windows;

/// <summary>The Windows machine this runs on.</summary>
[SupportedOSPlatform("windows")]
public sealed class WindowsMachine : ICaptureMachine
{
    /// <inheritdoc/>
    public bool IsPrivileged => Environment.IsPrivilegedProcess;

    /// <inheritdoc/>
    public int Build => Environment.OSVersion.Version.Build;

    /// <summary>Holds the folders of recordings while they run.</summary>
    public static string Root => Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData), "tcpdiag", "captures");

    /// <summary>Speed of the fastest link that is up, bits per second; 1 Gbit/s where none is known.</summary>
    public static long LinkBitsPerSecond => LinkSpeed.FastestOf(NetworkInterface.GetAllNetworkInterfaces()
        .Where(link => link.OperationalStatus == OperationalStatus.Up && link.NetworkInterfaceType != NetworkInterfaceType.Loopback)
        .Select(link => link.Speed));

    /// <inheritdoc/>
    public string? WhyNotPrivate(string path) => PrivateFolder.WhyNot(path);

    /// <inheritdoc/>
    public string? InheritRights(string path) => WindowsAccess.InheritRights(path);

    /// <inheritdoc/>
    public long? FreeBytes(string path)
    {
        try
        {
            return new DriveInfo(Path.GetPathRoot(Path.GetFullPath(path))!).AvailableFreeSpace;
        }
        catch (Exception exception) when (exception is IOException or ArgumentException or UnauthorizedAccessException)
        {
            // A share has no drive.
            return null;
        }
    }

    /// <inheritdoc/>
    public IReadOnlyList<EtwSession>? Sessions() => EtwSessions.Query();

    /// <inheritdoc/>
    public string? StartSession(EtwSessionPlan plan) => EtwFileSession.Start(plan);

    /// <inheritdoc/>
    public IDisposable Listen(IStackEventSink sink) => LiveSession.Open(Build, sink);

    /// <inheritdoc/>
    public bool StopSession(string name) => EtwSessions.Stop(name);

    /// <inheritdoc/>
    public void FlushSession(string name) => EtwSessions.Flush(name);

    /// <inheritdoc/>
    public ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null)
    {
        ArgumentNullException.ThrowIfNull(call);

        // By its full path: a program of that name elsewhere on PATH must not run with our rights.
        string folder = call.Program is "powershell" ? Path.Combine("WindowsPowerShell", "v1.0") : string.Empty;
        string file = Path.Combine(Environment.SystemDirectory, folder, call.Program + ".exe");
        return File.Exists(file)
            ? ProgramRunner.Run(file, call, limit, waiting)
            : throw new CaptureException($"{file} is not there: this Windows has no {call.Program}.");
    }
}

/// <summary>Owners and access lists of folders.</summary>
[SupportedOSPlatform("windows")]
static class WindowsAccess
{
    // An access list without own entries, which inherits those of its folder. No list at all would let everybody in.
    const string NoneButInherited = "D:AI";

    /// <summary>Creates a folder that only administrators and the system may read and write, and so everything in it.</summary>
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

    // A trace belongs to the system, which wrote it. Rights granted to CREATOR OWNER depend on the owner, so it is set first; but the list matters more.
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

    // How Windows refuses, by file system or by rights.
    static bool IsRefusal(Exception exception) => exception is IOException or UnauthorizedAccessException or InvalidOperationException or NotSupportedException;

    /// <summary>Checks who can change a file or folder.</summary>
    /// <returns>Who other than administrators can change it, a clause; null when nobody can.</returns>
    public static string? WhyNotPrivate(string path)
    {
        using WindowsIdentity self = WindowsIdentity.GetCurrent();

        // The default owner of what this process creates: Administrators, if it is elevated.
        return FileRights.WhyNotPrivate(path, self.Owner?.Value);
    }
}
