using System;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Cli.Commands;

namespace TcpDiag.Cli.Recording;

/// <summary>A recording on Windows: programs of the system do it, we start, watch, stop and collect.</summary>
[SupportedOSPlatform("windows")]
static class WindowsRecording
{
    const string Preparing = "preparing: nothing is recorded yet; a snapshot of this machine for a bundle may take a minute";

    /// <summary>Records.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="choice">What records, an engine of Windows.</param>
    /// <param name="path">The result.</param>
    /// <param name="takeOver">Whether a recording of somebody else is stopped.</param>
    /// <param name="invocation">The run of this program.</param>
    /// <param name="stop">Tells to stop.</param>
    /// <returns>What was recorded.</returns>
    public static CaptureSummary Run(CaptureSettings settings, EngineChoice choice, string path, bool takeOver, Invocation invocation, CancellationToken stop)
    {
        var progress = new RecordingProgress(invocation.Error, invocation) { Announcement = engine => CaptureDocuments.Announce(settings, path, engine, choice.WhyOf(engine)) };
        if (settings.IsSplit && !CaptureRequest.IsBundle(path))
        {
            // Refuses where pieces of an earlier recording would be taken for some of this one.
            _ = new SplitFiles(path);
        }

        ICaptureMachine machine = invocation.Surroundings.OpenMachine();
        var request = new CaptureRequest
        {
            Settings = settings,
            Output = Path.GetFullPath(path),
            Root = invocation.Surroundings.CaptureRoot(),
            TakeOver = takeOver,
            Fallback = choice.Fallback(settings),
            Snapshot = CaptureRequest.IsBundle(path) ? cancel => WindowsSnapshot.Take(machine, TimeProvider.System, cancel) : null,
        };
        progress.Tell(Preparing);
        try
        {
            return new CaptureSession(machine, choice.Engine!, request, progress, TimeProvider.System).Run(stop);
        }
        finally
        {
            progress.EndLine();
        }
    }

    /// <summary>Finishes recordings whose process has gone.</summary>
    /// <param name="invocation">The run of this program.</param>
    /// <returns>What became of them.</returns>
    public static RecoveredCaptures Recover(Invocation invocation)
    {
        invocation.BeginFinishing();
        return CaptureRecovery.Run(invocation.Surroundings.OpenMachine(), invocation.Surroundings.CaptureRoot(), new RecordingProgress(invocation.Error, invocation), TimeProvider.System);
    }
}
