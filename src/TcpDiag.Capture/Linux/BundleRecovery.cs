using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux;

/// <summary>Makes a whole bundle of one whose recorder was killed: the snapshot of the beginning and the trace as far as it goes, with a manifest.</summary>
[SupportedOSPlatform("linux")]
public static class BundleRecovery
{
    /// <summary>The bundles of a folder that are not whole and that nobody writes.</summary>
    /// <param name="folder">The folder.</param>
    /// <returns>Their paths.</returns>
    public static IEnumerable<string> FindLeft(string folder) => Directory.GetFiles(folder, "*" + BundleWriter.Extension).Order(StringComparer.Ordinal).Where(IsLeft);

    /// <summary>Makes a whole bundle of what is left of one, which then goes.</summary>
    /// <param name="output">The file that the recording was to become.</param>
    /// <returns>The bundle, <c>NAME-recovered.tcpdiag</c>, or with a number where that is there; null when there is none, or it is whole.</returns>
    /// <exception cref="CaptureException">The recording is still going on.</exception>
    /// <exception cref="IOException">The bundle could not be written; what was left is still there.</exception>
    public static string? Recover(string output)
    {
        string path = Path.GetFullPath(output);
        if (!path.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase) || !File.Exists(path))
        {
            return null;
        }

        using var held = new ExclusiveFile(path);
        using var left = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
        if (!CutBundle.IsCut(left))
        {
            return null;
        }

        string whole = Write(left, path);
        File.Delete(path);
        return whole;
    }

    static bool IsLeft(string path)
    {
        try
        {
            using var held = new ExclusiveFile(path);
            using var left = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
            return CutBundle.IsCut(left);
        }
        catch (Exception exception) when (exception is CaptureException or IOException or UnauthorizedAccessException)
        {
            return false; // it is being recorded, or is not ours
        }
    }

    static string Write(Stream left, string path)
    {
        FileStream file = RecoveredFile.Create(path, BundleWriter.Extension);
        using (var bundle = new BundleWriter(file))
        {
            CutBundle.CopyTo(left, bundle);
            bundle.Complete(BundleWriter.Describe("linux", string.Empty, StopReasonText.Found, [], TimeProvider.System.GetUtcNow()));
        }

        RecoveredFile.ToDisk(file.Name);
        return file.Name;
    }
}
