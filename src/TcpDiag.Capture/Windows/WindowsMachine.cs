using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.NetworkInformation;
using System.Runtime.Versioning;
using TcpDiag.Capture.Sessions;

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

    /// <summary>Speed of the fastest link that is up, bits per second; 1 Gbit/s where none tells.</summary>
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
    public ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null)
    {
        ArgumentNullException.ThrowIfNull(call);

        // By its full path: a program of that name elsewhere on the path must not run with our rights.
        string folder = call.Program is "powershell" ? Path.Combine("WindowsPowerShell", "v1.0") : string.Empty;
        string file = Path.Combine(Environment.SystemDirectory, folder, call.Program + ".exe");
        return File.Exists(file)
            ? ProgramRunner.Run(file, call, limit, waiting)
            : throw new CaptureException($"{file} is not there: this Windows has no {call.Program}.");
    }
}
