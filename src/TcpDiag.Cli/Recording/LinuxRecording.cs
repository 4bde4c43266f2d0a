using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Cli.Commands;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Recording;

/// <summary>A recording on Linux: one pcapng stream from sources of the kernel.</summary>
[SupportedOSPlatform("linux")]
static class LinuxRecording
{
    /// <summary>Records.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="path">The file; - for standard output.</param>
    /// <param name="error">Takes one line that says what is recorded.</param>
    /// <param name="stop">Tells to stop.</param>
    /// <returns>What was recorded.</returns>
    public static CaptureSummary Run(CaptureSettings settings, string path, TextWriter error, CancellationToken stop)
    {
        settings = settings with { RingFolder = path is "-" ? null : Path.GetFullPath(path) + RingRecovery.FolderEnd };
        Recover([path], error);
        return path.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase)
            ? RunIntoBundle(settings, path, error, stop)
            : RunIntoFile(settings, path, error, stop);
    }

    /// <summary>Collects what ring recordings have left whose process has gone.</summary>
    /// <param name="outputs">What they were to become; none for all in this folder.</param>
    /// <param name="error">Takes a line for each.</param>
    /// <returns>How many there were.</returns>
    /// <exception cref="CaptureException">One is still going on.</exception>
    public static int Recover(IReadOnlyList<string> outputs, TextWriter error)
    {
        IEnumerable<string> all = outputs.Count > 0
            ? outputs
            : Directory.GetDirectories(".", "*" + RingRecovery.FolderEnd).Select(folder => folder[..^RingRecovery.FolderEnd.Length]).Order(StringComparer.Ordinal);
        int count = 0;
        foreach (string output in all)
        {
            if (RingRecovery.Recover(output) is { } trace)
            {
                error.WriteLine($"{trace}: what the ring of an earlier recording to {output} held");
                count++;
            }
        }

        return count;
    }

    static CaptureSummary RunIntoFile(CaptureSettings settings, string path, TextWriter error, CancellationToken stop)
    {
        if (settings.IsSplit)
        {
            var files = new SplitFiles(path);
            CaptureSummary summary = Record(settings, () => OpenPrivate(files.Next()), path, error, stop);
            return summary with { Remarks = [.. summary.Remarks, files.Remark] };
        }

        Stream output = OpenFile(path);
        return Record(settings, () => output, path, error, stop);
    }

    static CaptureSummary Record(CaptureSettings settings, Func<Stream> open, string path, TextWriter error, CancellationToken stop)
    {
        using LinuxRecorder recorder = LinuxRecorder.Open(settings, open);
        error.WriteLine(CaptureDocuments.Announce(settings, path));
        return recorder.Run(stop);
    }

    // The trace is packed while it is recorded: what is on disk at any time can be read, whatever happens.
    static CaptureSummary RunIntoBundle(CaptureSettings settings, string path, TextWriter error, CancellationToken stop)
    {
        using FileStream file = OpenPrivate(path);
        CaptureSummary summary;
        using (var bundle = new BundleWriter(file))
        {
            byte[] before = Snapshot();
            summary = Record(settings, OpenTraces(settings, bundle), path, error, stop);
            bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream(before));
            bundle.Add("snapshot-end.json", BundleManifest.SnapshotKind, new MemoryStream(Snapshot()));
            bundle.Complete(BundleWriter.Describe(
                summary.Engine, settings.Match.ToString(), CaptureDocuments.NameOf(summary.StopReason), summary.Remarks, TimeProvider.System.GetUtcNow()));
        }

        return summary with { Bytes = new FileInfo(path).Length };
    }

    // Redaction gives the traces of a bundle the same names.
    static Func<Stream> OpenTraces(CaptureSettings settings, BundleWriter bundle)
    {
        int number = 0;
        return () => bundle.Create(settings.IsSplit ? FormattableString.Invariant($"trace-{++number}.pcapng") : "trace.pcapng", BundleManifest.TraceKind);
    }

    static byte[] Snapshot() => SnapshotJson.ToBytes(LinuxSnapshot.Take(networkNamespace: null, TimeProvider.System));

    static Stream OpenFile(string path) => path is "-" ? StandardStreams.OpenOutput() : OpenPrivate(path);

    // A trace is somebody's private data.
    static FileStream OpenPrivate(string path) => new(path, new FileStreamOptions
    {
        Mode = FileMode.Create,
        Access = FileAccess.Write,
        BufferSize = 0,
        UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
    });
}
