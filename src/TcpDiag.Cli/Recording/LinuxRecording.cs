using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Sessions;
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
        Collect(path, [], error);
        CaptureSummary summary = path.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase) ? RunIntoBundle(settings, path, error, stop)
            : settings.IsSplit ? RunIntoFiles(settings, path, error, stop)
            : Record(settings, () => new ExclusiveFile(path), path, error, stop);
        return !settings.IsSplit && new FileInfo(whole) is { Exists: true, Length: > 0 } file ? summary with { Bytes = file.Length } : summary;
    }

    /// <summary>Collects what recordings have left whose process has gone: rings, and bundles without an end.</summary>
    /// <param name="outputs">What they were to become; none for all in this folder, of which one that cannot be collected keeps no other from it.</param>
    /// <param name="error">Takes a line for each.</param>
    /// <returns>What became of them.</returns>
    /// <exception cref="CaptureException">One that was named is still going on.</exception>
    public static RecoveredCaptures Recover(IReadOnlyList<string> outputs, TextWriter error)
    {
        var results = new List<string>();
        return new(results, outputs.Count > 0 ? CollectNamed(outputs, results, error) : CollectAll(results, error));
    }

    // Returns of how many there is nothing: a name that was mistyped must not look like one that was recovered.
    static int CollectNamed(IReadOnlyList<string> outputs, List<string> results, TextWriter error)
    {
        int missing = 0;
        foreach (string output in outputs)
        {
            int before = results.Count;
            Collect(output, results, error);
            if (results.Count == before)
            {
                error.WriteLine($"{output}: nothing of a recording to this name is left");
                missing++;
            }
        }

        return missing;
    }

    // Returns how many are left.
    static int CollectAll(List<string> results, TextWriter error)
    {
        int left = 0;
        foreach (string output in RingRecovery.FindLeft(".").Union(BundleRecovery.FindLeft(".", error.WriteLine), StringComparer.Ordinal).ToList())
        {
            try
            {
                Collect(output, results, error);
            }
            catch (Exception exception) when (exception is CaptureException or IOException or UnauthorizedAccessException)
            {
                error.WriteLine($"{output} is left as it is: {exception.Message}");
                left++;
            }
        }

        return left;
    }

    static void Collect(string output, List<string> results, TextWriter error)
    {
        if (RingRecovery.Recover(output) is { } trace)
        {
            error.WriteLine($"{trace}: what the ring of an earlier recording to {output} held");
            results.Add(trace);
        }

        if (BundleRecovery.Recover(output) is { } bundle)
        {
            error.WriteLine($"{bundle}: what an earlier recording to {output} had recorded");
            results.Add(bundle);
        }
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
