using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Capture.Sessions.Finish;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Recording;

/// <summary>A recording on Linux: one pcapng stream from sources of the kernel.</summary>
[SupportedOSPlatform("linux")]
static class LinuxRecording
{
    /// <summary>Records.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="target">The file.</param>
    /// <param name="error">Takes one line that says what is recorded.</param>
    /// <param name="stop">Stops the recording.</param>
    /// <exception cref="OutputTakenException">The file is there, and is none that an earlier recording has left without its end.</exception>
    public static CaptureSummary Run(CaptureSettings settings, CaptureTarget target, TextWriter error, CancellationToken stop)
    {
        string path = target.Path;
        if (path is "-")
        {
            return Record(settings, StandardStreams.OpenOutput, target, error, stop);
        }

        string whole = Path.GetFullPath(path);
        settings = settings with { RingFolder = whole + RingRecovery.FolderEnd, DiskFolder = IsDevice(whole) ? null : Path.GetDirectoryName(whole) };
        Collect(path, [], error);
        target.RequireFree();
        CaptureSummary summary = path.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase) ? RunIntoBundle(settings, target, error, stop)
            : settings.IsSplit ? RunIntoFiles(settings, target, error, stop)
            : Record(settings, () => new ExclusiveFile(path), target, error, stop);
        return !settings.IsSplit && new FileInfo(whole) is { Exists: true, Length: > 0 } file ? summary with { Bytes = file.Length } : summary;
    }

    /// <summary>Collects what recordings have left whose process has gone: rings, and bundles without an end.</summary>
    /// <param name="outputs">What they were to become; none for all in this folder, of which one that cannot be collected keeps no other from it.</param>
    /// <param name="error">Takes a line for each.</param>
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

    static CaptureSummary RunIntoFiles(CaptureSettings settings, CaptureTarget target, TextWriter error, CancellationToken stop)
    {
        var files = new SplitFiles(target.Path);
        CaptureSummary summary = Record(settings, () => new ExclusiveFile(files.Next()), target, error, stop);
        return summary with { Remarks = [.. summary.Remarks, files.Remark] };
    }

    static CaptureSummary Record(CaptureSettings settings, Func<Stream> open, CaptureTarget target, TextWriter error, CancellationToken stop)
    {
        try
        {
            using LinuxRecorder recorder = LinuxRecorder.Open(settings, open);
            error.WriteLine(CaptureDocuments.Announce(settings, target.Path));
            target.Begun?.Invoke(new(target.Path, () => { }));
            return recorder.Run(stop);
        }
        catch (IOException exception) when (settings.IsRing && Directory.Exists(settings.RingFolder))
        {
            throw new CaptureException(
                $"{exception.Message}. What the ring held is kept: make room, then `tcpdiag capture recover {target.Path}`.", exception.HResult);
        }
    }

    static CaptureSummary RunIntoBundle(CaptureSettings settings, CaptureTarget target, TextWriter error, CancellationToken stop)
    {
        using var bundle = new LinuxBundle(settings, target.Path, stop);
        stop.ThrowIfCancellationRequested(); // nothing is there yet
        CaptureSummary summary = Record(settings, bundle.OpenTrace, target, error, stop);
        bundle.Complete(summary);
        return summary;
    }
}

/// <summary>
/// The bundle that a recording on Linux becomes: the snapshot of the beginning, and the trace, which is packed while it is recorded. What is on disk at any
/// time can be read, whatever happens, and <see cref="BundleRecovery"/> makes a whole bundle of it. There is no file before the first trace is opened.
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
    public void Complete(CaptureSummary summary)
    {
        _bundle!.Add("snapshot-end.json", BundleManifest.SnapshotKind, new MemoryStream(Snapshot(settings, CancellationToken.None)));
        string reason = StopReasonText.Of(summary.StopReason, summary.Trigger);
        _bundle.Complete(BundleWriter.Describe(
            summary.Engine, settings.Match.ToString(), reason, summary.Remarks, TimeProvider.System.GetUtcNow()));
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

/// <summary>The files of a recording in several traces that stand alone: NAME-001.pcapng, NAME-002.pcapng …</summary>
sealed class SplitFiles
{
    readonly string _start;
    readonly string _extension;
    int _number;

    /// <summary>Makes sure that nothing of an earlier recording would be taken for a part of this one.</summary>
    /// <param name="path">The file as the user named it.</param>
    /// <exception cref="CaptureException">There are such files.</exception>
    public SplitFiles(string path)
    {
        _extension = Path.GetExtension(path);
        _start = path[..^_extension.Length];
        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        string? other = Directory.Exists(folder) ? Directory.GetFiles(folder).Order(StringComparer.Ordinal).FirstOrDefault(IsPiece) : null;
        if (other is not null)
        {
            throw new CaptureException($"{other} is there: it would be taken for a part of this recording. Remove such files, or choose another name.");
        }
    }

    /// <summary>Where the recording is.</summary>
    public string Remark => $"the recording is in {NameOf(1)}{(_number > 1 ? $" to {NameOf(_number)}" : string.Empty)}; "
        + "each opens alone, and commands read several as one";

    /// <summary>Names the next.</summary>
    public string Next() => NameOf(++_number);

    string NameOf(int number) => FormattableString.Invariant($"{_start}-{number:D3}{_extension}");

    // By the name alone, with case.
    bool IsPiece(string file)
    {
        string name = Path.GetFileName(file);
        string start = Path.GetFileName(_start) + "-";
        return name.Length > start.Length + _extension.Length
            && name.StartsWith(start, StringComparison.Ordinal)
            && name.EndsWith(_extension, StringComparison.Ordinal)
            && name[start.Length..^_extension.Length].All(char.IsAsciiDigit);
    }
}
