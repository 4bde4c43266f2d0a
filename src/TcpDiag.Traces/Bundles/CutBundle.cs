using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Bundles;

/// <summary>A bundle without its end, as a recorder leaves it that was killed.</summary>
public static class CutBundle
{
    const int CopyBytes = 1 << 16;

    /// <summary>Whether a file is a zip without its end.</summary>
    /// <param name="file">The file, which seeks.</param>
    /// <returns>False for a whole one, and for what is no zip.</returns>
    public static bool IsCut(Stream file)
    {
        if (!CutArchive.IsArchive(file))
        {
            return false;
        }

        try
        {
            using var archive = new ZipArchive(file, ZipArchiveMode.Read, leaveOpen: true);
            return archive.Entries.Count == 0; // reads the list
        }
        catch (InvalidDataException)
        {
            return true;
        }
    }

    /// <summary>Whether its writer was killed. In a copy that broke off, or is still under way, the headers hold the lengths of all files.</summary>
    /// <param name="file">A bundle that is cut, which seeks.</param>
    /// <returns>True when its last file was being written.</returns>
    public static bool WasBeingWritten(Stream file) => CutArchive.Entries(file).LastOrDefault() is { IsOpen: true };

    /// <summary>Looks whether all there is would be in a bundle that <see cref="CopyTo"/> fills.</summary>
    /// <param name="file">A bundle that is cut, which seeks.</param>
    /// <returns>What would be missing, a clause; null for nothing.</returns>
    public static string? WhyNotCopied(Stream file) =>
        CutArchive.Entries(file).FirstOrDefault(entry => entry.Name is not BundleManifest.FileName && KindOf(entry.Name) is null) is { } other
            ? $"it holds {other.Name}, which is no file of a recording"
        : CutArchive.IsAllFound(file) ? null
        : "what it holds cannot be found without the list at its end";

    /// <summary>Copies its files into another bundle, the last one as far as it goes.</summary>
    /// <param name="cut">The bundle, which seeks.</param>
    /// <param name="bundle">Takes them.</param>
    public static void CopyTo(Stream cut, BundleWriter bundle)
    {
        ArgumentNullException.ThrowIfNull(bundle);
        foreach (CutEntry entry in CutArchive.Entries(cut))
        {
            if (KindOf(entry.Name) is { } kind)
            {
                using Stream source = CutArchive.Open(cut, entry);
                using Stream target = bundle.Create(entry.Name, kind);
                CopyAsFarAsItGoes(source, target);
            }
        }
    }

    static string? KindOf(string name) =>
        name.StartsWith("snapshot", StringComparison.Ordinal) && name.EndsWith(".json", StringComparison.Ordinal) ? BundleManifest.SnapshotKind
        : name.StartsWith("trace", StringComparison.Ordinal)
            && (name.EndsWith(".pcapng", StringComparison.Ordinal) || name.EndsWith(".etl", StringComparison.Ordinal)) ? BundleManifest.TraceKind
        : name is BundleManifest.JournalName ? BundleManifest.JournalKind
        : null;

    static void CopyAsFarAsItGoes(Stream source, Stream target)
    {
        byte[] bytes = new byte[CopyBytes];
        while (TryRead(source, bytes) is > 0 and int count)
        {
            target.Write(bytes, 0, count);
        }
    }

    static int TryRead(Stream source, byte[] bytes)
    {
        try
        {
            return source.Read(bytes);
        }
        catch (InvalidDataException)
        {
            return 0; // here it was cut
        }
    }
}
