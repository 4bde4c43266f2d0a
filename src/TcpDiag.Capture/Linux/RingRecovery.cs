using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// Collects what an interrupted ring recording has left: the pieces in its folder, concatenated, become a trace beside it.
/// The last one may be truncated, which its reader reports. A live recorder keeps a lock on a piece.
/// </summary>
[SupportedOSPlatform("linux")]
public static class RingRecovery
{
    /// <summary>Suffix of a ring's folder, after the name of the recording.</summary>
    public const string FolderEnd = ".ring";

    const string TraceEnd = ".pcapng";

    /// <summary>The rings of a folder: subfolders that hold nothing but pieces.</summary>
    /// <param name="folder">The folder.</param>
    /// <returns>The files that they would have become.</returns>
    public static IReadOnlyList<string> FindLeft(string folder) =>
        [.. Directory.GetDirectories(folder, "*" + FolderEnd)
            .Where(ring => OtherThan(ring) is null)
            .Select(ring => ring[..^FolderEnd.Length])
            .Order(StringComparer.Ordinal)];

    /// <summary>Collects the pieces of one recording and removes them.</summary>
    /// <param name="output">The file that the recording was to become.</param>
    /// <returns>The trace, <c>NAME-recovered.pcapng</c> or <c>.tcpdiag</c>, or with a number where that is there; null when nothing was left.</returns>
    /// <exception cref="CaptureException">The recording is still running, or the folder cannot be trusted.</exception>
    /// <exception cref="IOException">The trace could not be written; the pieces are still there.</exception>
    public static string? Recover(string output)
    {
        string folder = Path.GetFullPath(output) + FolderEnd;
        if (!Directory.Exists(folder))
        {
            return null;
        }

        RequireOwn(folder);
        string[] paths = [.. Directory.GetFiles(folder, RingOutput.Pattern).Order(StringComparer.Ordinal)];
        var pieces = new List<FileStream>();
        try
        {
            foreach (string path in paths)
            {
                pieces.Add(OpenUnused(path));
            }

            string whole = Path.GetFullPath(output);
            string? trace = !pieces.Exists(piece => piece.Length > 0) ? null
                : File.Exists(Path.Join(folder, BundleManifest.SnapshotName)) ? CollectBundle(pieces, whole, Path.Join(folder, BundleManifest.SnapshotName))
                : Collect(pieces, whole);
            Directory.Delete(folder, recursive: true);
            RemoveEmpty(whole);
            return trace;
        }
        finally
        {
            pieces.ForEach(piece => piece.Dispose());
        }
    }

    static void RequireOwn(string folder)
    {
        string? reason = new DirectoryInfo(folder).LinkTarget is not null ? "it is a link"
            : FileOwner.WhyNotPrivate(folder) ?? (OtherThan(folder) is { } other ? $"it holds {other} too" : null);
        if (reason is not null)
        {
            throw new CaptureException($"{folder} is not taken for pieces of a ring: {reason}. Look into it, remove it, and try again.");
        }
    }

    // A file that no recorder has put there; null for none.
    static string? OtherThan(string folder) =>
        Directory.EnumerateFileSystemEntries(folder)
            .FirstOrDefault(path => Directory.Exists(path) || !RingOutput.IsPiece(Path.GetFileName(path))) is { } other
            ? Path.GetFileName(other)
            : null;

    static FileStream OpenUnused(string path)
    {
        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.None, bufferSize: 0);
        }
        catch (IOException exception)
        {
            throw new CaptureException($"{path} cannot be collected: {exception.Message} If a recording to the same name is still going on, wait for "
                + "it or choose another name.", exception.HResult);
        }
    }

    static string Collect(List<FileStream> pieces, string output)
    {
        using FileStream trace = RecoveredFile.Create(output, TraceEnd);
        return RecoveredFile.Fill(trace, () =>
        {
            CopyTo(pieces, trace);
            trace.Flush(flushToDisk: true);
        });
    }

    static string CollectBundle(List<FileStream> pieces, string output, string snapshot)
    {
        FileStream file = RecoveredFile.Create(output, BundleWriter.Extension);
        return RecoveredFile.Fill(file, () =>
        {
            WriteBundle(pieces, file, snapshot);
            RecoveredFile.ToDisk(file.Name);
        });
    }

    static void WriteBundle(List<FileStream> pieces, FileStream file, string snapshot)
    {
        using var bundle = new BundleWriter(file);
        using FileStream source = File.OpenRead(snapshot);
        bundle.Add(BundleManifest.SnapshotName, BundleManifest.SnapshotKind, source);
        using (Stream trace = bundle.Create("trace" + TraceEnd, BundleManifest.TraceKind))
        {
            CopyTo(pieces, trace);
        }

        string[] remarks = ["the recording did not come to its end: this is what its ring held"];
        bundle.Complete(BundleWriter.Describe("linux", string.Empty, StopReasonText.Found, remarks, TimeProvider.System.GetUtcNow()));
    }

    static void CopyTo(List<FileStream> pieces, Stream trace) => pieces.ForEach(piece => piece.CopyTo(trace));

    // The output was opened but never written.
    static void RemoveEmpty(string output)
    {
        if (new FileInfo(output) is { Exists: true, Length: 0 })
        {
            File.Delete(output);
        }
    }
}

/// <summary>The recovered file, beside the output that was asked for.</summary>
[SupportedOSPlatform("linux")]
static class RecoveredFile
{
    const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Creates it: <c>NAME-recovered</c>, or with a number where that is there.</summary>
    /// <param name="output">Full path of the file that the recording was to become.</param>
    /// <param name="end">The end of its name.</param>
    /// <returns>The file, which only its owner may read.</returns>
    public static FileStream Create(string output, string end)
    {
        string start = Path.Combine(Path.GetDirectoryName(output)!, Path.GetFileNameWithoutExtension(output) + "-recovered");
        for (int number = 1; ; number++)
        {
            string path = number == 1 ? start + end : FormattableString.Invariant($"{start}-{number}{end}");
            if (!Path.Exists(path))
            {
                return new FileStream(
                    path, new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, BufferSize = 0, UnixCreateMode = Private });
            }
        }
    }

    /// <summary>Fills it. A partial file would be taken for all that was recorded, so it is removed on failure.</summary>
    public static string Fill(FileStream file, Action fill)
    {
        try
        {
            fill();
            return file.Name;
        }
        catch
        {
            File.Delete(file.Name);
            throw;
        }
    }

    /// <summary>Flushes it to the disk, so that its sources can be removed.</summary>
    /// <param name="path">The file, written and closed.</param>
    public static void ToDisk(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
        file.Flush(flushToDisk: true);
    }
}
