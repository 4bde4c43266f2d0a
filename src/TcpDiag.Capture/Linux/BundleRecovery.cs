using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux;

/// <summary>Repairs a bundle whose recorder was killed: the snapshot of the beginning and the trace as far as it goes, with a manifest.</summary>
[SupportedOSPlatform("linux")]
public static class BundleRecovery
{
    /// <summary>The bundles of a folder whose recorder was killed.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="report">Receives a sentence about each other truncated bundle: it may be a copy in progress.</param>
    /// <returns>Their paths.</returns>
    public static IReadOnlyList<string> FindLeft(string folder, Action<string> report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var left = new List<string>();
        foreach (string path in Directory.GetFiles(folder, "*" + BundleWriter.Extension).Order(StringComparer.Ordinal))
        {
            if (WasBeingWritten(path) is not { } was)
            {
                continue;
            }

            if (was)
            {
                left.Add(path);
            }
            else
            {
                report($"{path} has no end, but no recorder left it so: it may be a copy that is under way. `tcpdiag capture recover {path}` makes a "
                    + "whole bundle of what there is");
            }
        }

        return left;
    }

    /// <summary>Writes a whole bundle from what is left of one, which is removed once the new one is on the disk and opens.</summary>
    /// <param name="output">The file that the recording was to become.</param>
    /// <returns>The bundle, <c>NAME-recovered.tcpdiag</c>, or with a number where that is there; null when there is none, or it is whole.</returns>
    /// <exception cref="CaptureException">The recording is still running, or the file holds what no recording leaves.</exception>
    /// <exception cref="IOException">The bundle could not be written; what was left is still there.</exception>
    public static string? Recover(string output)
    {
        string path = Path.GetFullPath(output);
        if (!path.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase) || !File.Exists(path))
        {
            return null;
        }

        using var held = new ExclusiveFile(path);
        using FileStream left = OpenToRead(path);
        if (!CutBundle.IsCut(left))
        {
            return null;
        }

        if (CutBundle.WhyNotCopied(left) is { } why)
        {
            throw new CaptureException($"{path} has no end, and stays as it is: {why}.");
        }

        string whole = Write(left, path);
        File.Delete(path);
        return whole;
    }

    // Null for what is whole, no bundle, being recorded, or not accessible.
    static bool? WasBeingWritten(string path)
    {
        try
        {
            using var held = new ExclusiveFile(path);
            using FileStream left = OpenToRead(path);
            return CutBundle.IsCut(left) ? CutBundle.WasBeingWritten(left) && CutBundle.WhyNotCopied(left) is null : null;
        }
        catch (Exception exception) when (exception is CaptureException or IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    static FileStream OpenToRead(string path) => new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);

    static string Write(Stream left, string path)
    {
        FileStream file = RecoveredFile.Create(path, BundleWriter.Extension);
        return RecoveredFile.Fill(file, () =>
        {
            using (var bundle = new BundleWriter(file))
            {
                CutBundle.CopyTo(left, bundle);
                bundle.Complete(BundleWriter.Describe("linux", string.Empty, StopReasonText.Found, [], TimeProvider.System.GetUtcNow()));
            }

            RecoveredFile.ToDisk(file.Name);
            if (TraceBundle.ReadManifest(file.Name) is null)
            {
                throw new IOException($"{file.Name} was written and does not open");
            }
        });
    }
}
