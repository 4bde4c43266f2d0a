using System;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Finish;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Windows;
using TcpDiag.Capture.Windows.Snapshots;

namespace TcpDiag.Cli.Recording;

/// <summary>A recording on Windows: programs of the system do it, we start, watch, stop and collect.</summary>
[SupportedOSPlatform("windows")]
static class WindowsRecording
{
    const string Preparing = "preparing: nothing is recorded yet; a snapshot of this machine for a bundle may take a minute";

    /// <summary>Records.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="choice">What records, an engine of Windows.</param>
    /// <param name="target">The result.</param>
    /// <param name="takeOver">Whether a recording that someone else runs is stopped.</param>
    /// <param name="invocation">The run of this program.</param>
    /// <param name="stop">Stops the recording.</param>
    public static CaptureSummary Run(
        CaptureSettings settings, EngineChoice choice, CaptureTarget target, bool takeOver, Invocation invocation, CancellationToken stop)
    {
        string path = target.Path;
        target.RequireFree();
        var progress = new RecordingProgress(invocation.Error, invocation)
        {
            Announcement = engine => CaptureDocuments.Announce(settings, path, engine, choice.WhyOf(engine)),
        };
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
            Begun = target.Begun,
            Snapshot = CaptureRequest.IsBundle(path) ? cancel => WindowsSnapshot.Take(machine, TimeProvider.System, cancel) : null,
        };
        progress.Report(Preparing);
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
    public static RecoveredCaptures Recover(Invocation invocation)
    {
        invocation.BeginFinishing();
        var progress = new RecordingProgress(invocation.Error, invocation);
        return CaptureRecovery.Run(invocation.Surroundings.OpenMachine(), invocation.Surroundings.CaptureRoot(), progress, TimeProvider.System);
    }
}

/// <summary>Shows on standard error how a recording goes: one line that is overwritten on a terminal, else only what is worth a line.</summary>
/// <param name="error">Standard error.</param>
/// <param name="invocation">Ignores signals once the recording is being stopped.</param>
sealed class RecordingProgress(TextWriter error, Invocation invocation) : ICaptureProgress
{
    const double BytesPerMebibyte = 1 << 20;

    readonly LiveLine _line = new(error);

    string? _engine;

    /// <summary>Makes of the name of the engine what to say once it records; null for nothing.</summary>
    public Func<string?, string>? Announcement { get; init; }

    /// <inheritdoc/>
    public void Chosen(string engine) => _engine = engine;

    /// <inheritdoc/>
    public void Reached(CaptureStep step)
    {
        if (step == CaptureStep.Recording && Announcement is { } announce)
        {
            Report(announce(_engine));
        }

        // What an earlier process had left was finished first.
        if (step == CaptureStep.Prepared)
        {
            invocation.EndFinishing();
        }

        if (step == CaptureStep.Stopping)
        {
            invocation.BeginFinishing();
        }
    }

    /// <inheritdoc/>
    public void Recording(TimeSpan elapsed, long bytes, long? lostEvents, long? lostBuffers) => _line.Show(string.Create(
        CultureInfo.InvariantCulture,
        $"recording {elapsed.TotalSeconds:F0} s, {bytes / BytesPerMebibyte:F1} MiB{Lost(lostEvents, "events")}{Lost(lostBuffers, "buffers")}; Ctrl-C stops"));

    /// <inheritdoc/>
    public void Stopping(TimeSpan elapsed) =>
        _line.Show(string.Create(CultureInfo.InvariantCulture, $"stopping for {elapsed.TotalSeconds:F0} s; this may take minutes"));

    /// <inheritdoc/>
    public void Report(string text)
    {
        EndLine();
        try
        {
            error.WriteLine(text);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The window was closed, or the reader has gone: the recording matters more than a line about it.
        }
    }

    static string Lost(long? count, string what) => count > 0 ? string.Create(CultureInfo.InvariantCulture, $", {count} {what} LOST") : string.Empty;

    /// <summary>Leaves the line that is written over.</summary>
    public void EndLine() => _line.End();
}
