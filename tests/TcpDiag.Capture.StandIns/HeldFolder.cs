using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Windows;
using TcpDiag.Testing;

namespace TcpDiag.Capture.StandIns;

/// <summary>
/// Something in the folder of a recording that nobody can remove while it is held: on Windows a file that is open, as an antivirus has it; on Linux a
/// file system that is mounted there, for which the process has a namespace of mounts of its own.
/// </summary>
static class HeldFolder
{
    static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(300);

    // Lives as long as the process.
    static FileStream? _open;

    /// <summary>
    /// Holds it from Starting on: to the end of the process with <c>held</c>, for a moment more when all is collected with <c>held-briefly</c>.
    /// </summary>
    /// <param name="step">The step.</param>
    /// <param name="root">Holds the folder of the recording.</param>
    /// <param name="options">Options of the recorder.</param>
    public static void At(CaptureStep step, string root, string[] options)
    {
        bool isBrief = options.Contains("held-briefly");
        if (step == CaptureStep.Starting && (isBrief || options.Contains("held")))
        {
            Hold(PathIn(root));
        }

        if (step == CaptureStep.Collected && isBrief)
        {
            string path = PathIn(root);
            new Thread(() => Release(path)) { IsBackground = true }.Start();
        }
    }

    static string PathIn(string root) => Path.Combine(Directory.GetDirectories(root).Single(), "held");

    static void Hold(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            _open = new FileStream(path, FileMode.Create, FileAccess.ReadWrite, FileShare.None);
            return;
        }

        Directory.CreateDirectory(path);
        ExternalProgram.Run("mount", "-t", "tmpfs", "tmpfs", path);
    }

    static void Release(string path)
    {
        using var pause = new ManualResetEventSlim();
        _ = pause.Wait(Moment);
        if (_open is { } open)
        {
            open.Dispose();
        }
        else
        {
            ExternalProgram.Run("umount", path);
        }
    }
}

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

/// <summary>
/// A disk without room from the time a recording has started until it is to be stopped: where <c>full-after-start</c> names a folder, a file in it
/// takes all there is.
/// </summary>
sealed class FullDisk : IDisposable
{
    readonly string? _filling;

    FullDisk(string? filling) => _filling = filling;

    /// <summary>Makes room before a program stops something; disposed of after one that starts something, takes it.</summary>
    /// <param name="state">The machine.</param>
    /// <param name="call">The program.</param>
    /// <returns>To dispose of after the program.</returns>
    public static FullDisk Around(MachineState state, ProgramCall call)
    {
        string folder = state.Answer("full-after-start");
        string? filling = folder is "success" ? null : Path.Combine(folder, "filling");
        if (filling is not null && call.Arguments.Contains("stop"))
        {
            File.Delete(filling);
        }

        return new(call.Arguments.Contains("start") ? filling : null);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_filling is null)
        {
            return;
        }

        using var file = new FileStream(_filling, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        try
        {
            while (true)
            {
                file.Write(new byte[Environment.SystemPageSize]);
            }
        }
        catch (IOException)
        {
            // Full.
        }
    }
}
