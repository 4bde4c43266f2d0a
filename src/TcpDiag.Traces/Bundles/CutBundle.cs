using System;
using System.IO;
using System.IO.Compression;
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
        name.EndsWith(".json", StringComparison.Ordinal) && name.StartsWith("snapshot", StringComparison.Ordinal) ? BundleManifest.SnapshotKind
        : name.EndsWith(".pcapng", StringComparison.Ordinal) && name.StartsWith("trace", StringComparison.Ordinal) ? BundleManifest.TraceKind
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
