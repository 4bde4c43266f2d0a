using System;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Recording;

/// <summary>
/// The bundle that a recording on Linux becomes: the snapshot of the beginning, and the trace, which is packed while it is recorded. What is on disk at any time can be
/// read, whatever happens, and <see cref="BundleRecovery"/> makes a whole bundle of it. There is no file before the first trace is opened.
/// </summary>
/// <param name="settings">What is recorded.</param>
/// <param name="path">The bundle.</param>
/// <param name="stop">Ends the snapshot that is taken first, with an <see cref="OperationCanceledException"/>.</param>
[SupportedOSPlatform("linux")]
sealed class LinuxBundle(CaptureSettings settings, string path, CancellationToken stop) : IDisposable
{
    readonly byte[] _before = Snapshot(settings, stop);
    BundleWriter? _bundle;
    int _traces;

    /// <summary>Begins a trace; the one before must be closed.</summary>
    /// <returns>Takes its bytes.</returns>
    public Stream OpenTrace()
    {
        _bundle ??= Begin();
        if (settings.IsRing)
        {
            File.WriteAllBytes(Path.Combine(settings.RingFolder!, BundleManifest.SnapshotName), _before);
        }

        _traces++; // redaction gives the traces of a bundle the same names
        return _bundle.Create(settings.IsSplit ? FormattableString.Invariant($"trace-{_traces}.pcapng") : "trace.pcapng", BundleManifest.TraceKind);
    }

    /// <summary>Adds the snapshots and the manifest.</summary>
    /// <param name="summary">What was recorded.</param>
    public void Complete(CaptureSummary summary)
    {
        _bundle!.Add("snapshot-end.json", BundleManifest.SnapshotKind, new MemoryStream(Snapshot(settings, CancellationToken.None)));
        _bundle.Complete(BundleWriter.Describe(
            summary.Engine, settings.Match.ToString(), StopReasonText.Of(summary.StopReason, summary.Trigger), summary.Remarks, TimeProvider.System.GetUtcNow()));
    }

    /// <inheritdoc/>
    public void Dispose() => _bundle?.Dispose();

    BundleWriter Begin()
    {
        var bundle = new BundleWriter(new ExclusiveFile(path));
        bundle.Add(BundleManifest.SnapshotName, BundleManifest.SnapshotKind, new MemoryStream(_before));
        return bundle;
    }

    // Of where the packets are.
    static byte[] Snapshot(CaptureSettings settings, CancellationToken cancel) =>
        SnapshotJson.ToBytes(LinuxSnapshot.Take(settings.Interfaces[0].NetworkNamespace, TimeProvider.System, cancel));
}
