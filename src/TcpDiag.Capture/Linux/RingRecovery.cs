using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// Collects what a ring recording has left that did not come to its end: the pieces in its folder, one behind the other, become a trace beside it.
/// The last one may break off, which reading it tells. A recorder that is alive keeps a lock on a piece.
/// </summary>
[SupportedOSPlatform("linux")]
public static class RingRecovery
{
    /// <summary>The end of the name of a ring's folder, behind the name of the recording.</summary>
    public const string FolderEnd = ".ring";

    const string TraceEnd = ".pcapng";

    /// <summary>The rings of a folder: what holds nothing but pieces.</summary>
    /// <param name="folder">The folder.</param>
    /// <returns>The files that they were to become.</returns>
    public static IReadOnlyList<string> FindLeft(string folder) =>
        [.. Directory.GetDirectories(folder, "*" + FolderEnd).Where(ring => OtherThan(ring) is null).Select(ring => ring[..^FolderEnd.Length]).Order(StringComparer.Ordinal)];

    /// <summary>Collects the pieces of one recording and removes them.</summary>
    /// <param name="output">The file that the recording was to become.</param>
    /// <returns>The trace, <c>NAME-recovered.pcapng</c> or <c>.tcpdiag</c>, or with a number where that is there; null when nothing was left.</returns>
    /// <exception cref="CaptureException">The recording is still going on, or the folder is not ours to trust.</exception>
    /// <exception cref="IOException">The trace could not be written; the pieces are still there.</exception>
    public static string? Recover(string output)
    {
        string folder = Path.GetFullPath(output) + FolderEnd;
        if (!Directory.Exists(folder))
        {
            return null;
        }

        RequireOwn(folder);
        string[] paths = [.. Directory.GetFiles(folder, SegmentRing.Pattern).Order(StringComparer.Ordinal)];
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

    // What is in a folder and was put there by no recorder; null for nothing.
    static string? OtherThan(string folder) =>
        Directory.EnumerateFileSystemEntries(folder).FirstOrDefault(path => Directory.Exists(path) || !SegmentRing.IsPiece(Path.GetFileName(path))) is { } other ? Path.GetFileName(other) : null;

    static FileStream OpenUnused(string path)
    {
        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.None, bufferSize: 0);
        }
        catch (IOException exception)
        {
            throw new CaptureException($"{path} cannot be collected: {exception.Message} If a recording to the same name is still going on, wait for it or choose another name.", exception.HResult);
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

    // What the recording was to become was opened, and not come to.
    static void RemoveEmpty(string output)
    {
        if (new FileInfo(output) is { Exists: true, Length: 0 })
        {
            File.Delete(output);
        }
    }
}
