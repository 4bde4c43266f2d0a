using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
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
        if (path is "-")
        {
            return Record(settings, StandardStreams.OpenOutput, path, error, stop);
        }

        string whole = Path.GetFullPath(path);
        settings = settings with { RingFolder = whole + RingRecovery.FolderEnd, DiskFolder = IsDevice(whole) ? null : Path.GetDirectoryName(whole) };
        Recover([path], error);
        CaptureSummary summary = path.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase) ? RunIntoBundle(settings, path, error, stop)
            : settings.IsSplit ? RunIntoFiles(settings, path, error, stop)
            : Record(settings, () => new ExclusiveFile(path), path, error, stop);
        return !settings.IsSplit && new FileInfo(whole) is { Exists: true, Length: > 0 } file ? summary with { Bytes = file.Length } : summary;
    }

    /// <summary>Collects what recordings have left whose process has gone: rings, and bundles without an end.</summary>
    /// <param name="outputs">What they were to become; none for all in this folder.</param>
    /// <param name="error">Takes a line for each.</param>
    /// <returns>How many there were.</returns>
    /// <exception cref="CaptureException">One is still going on.</exception>
    public static int Recover(IReadOnlyList<string> outputs, TextWriter error)
    {
        IEnumerable<string> all = outputs.Count > 0
            ? outputs
            : Directory.GetDirectories(".", "*" + RingRecovery.FolderEnd).Select(folder => folder[..^RingRecovery.FolderEnd.Length]).Order(StringComparer.Ordinal)
                .Concat(BundleRecovery.FindLeft(".")).ToList();
        int count = 0;
        foreach (string output in all)
        {
            if (RingRecovery.Recover(output) is { } trace)
            {
                error.WriteLine($"{trace}: what the ring of an earlier recording to {output} held");
                count++;
            }

            if (BundleRecovery.Recover(output) is { } bundle)
            {
                error.WriteLine($"{bundle}: what an earlier recording to {output} had recorded");
                count++;
            }
        }

        return count;
    }

    static bool IsDevice(string path) => path.StartsWith("/dev/", StringComparison.Ordinal);

    static CaptureSummary RunIntoFiles(CaptureSettings settings, string path, TextWriter error, CancellationToken stop)
    {
        var files = new SplitFiles(path);
        CaptureSummary summary = Record(settings, () => new ExclusiveFile(files.Next()), path, error, stop);
        return summary with { Remarks = [.. summary.Remarks, files.Remark] };
    }

    static CaptureSummary Record(CaptureSettings settings, Func<Stream> open, string path, TextWriter error, CancellationToken stop)
    {
        try
        {
            using LinuxRecorder recorder = LinuxRecorder.Open(settings, open);
            error.WriteLine(CaptureDocuments.Announce(settings, path));
            return recorder.Run(stop);
        }
        catch (IOException exception) when (settings.IsRing && Directory.Exists(settings.RingFolder))
        {
            throw new CaptureException($"{exception.Message}. What the ring held is kept: make room, then `tcpdiag capture recover {path}`.", exception.HResult);
        }
    }

    static CaptureSummary RunIntoBundle(CaptureSettings settings, string path, TextWriter error, CancellationToken stop)
    {
        using var bundle = new LinuxBundle(settings, path, stop);
        stop.ThrowIfCancellationRequested(); // nothing is there yet
        CaptureSummary summary = Record(settings, bundle.OpenTrace, path, error, stop);
        bundle.Complete(summary);
        return summary;
    }
}
