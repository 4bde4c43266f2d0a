using System;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Testing;

namespace TcpDiag.Capture.StandIns;

/// <summary>
/// Something in the folder of a recording that nobody can remove while it is held: on Windows a file that is open, as an antivirus has it; on Linux a file system that is mounted
/// there, for which the process has a namespace of mounts of its own.
/// </summary>
static class HeldFolder
{
    static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(300);

    // Lives as long as the process.
    static FileStream? _open;

    /// <summary>Holds it from Starting on: to the end of the process with <c>held</c>, for a moment more when all is collected with <c>held-briefly</c>.</summary>
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
