using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Bundles;

/// <summary>
/// A bundle (docs/formats/bundle.md): one file with the trace, a snapshot of the machine and the recording's journal. Its trace opens
/// like any other through <see cref="TraceFile"/>; this is the way to the rest of it.
/// </summary>
public static class TraceBundle
{
    // A snapshot or a journal, which are read into memory.
    const int MaxTextBytes = 64 << 20;

    /// <summary>Reads the manifest of a file.</summary>
    /// <param name="path">Any file; standard input is none.</param>
    /// <returns>The manifest; null when the file is no bundle, or its manifest is damaged, which reading its trace reports.</returns>
    /// <exception cref="TraceInputException">It is a bundle that cannot be trusted.</exception>
    public static BundleManifest? ReadManifest(string path)
    {
        using ZipArchive? archive = TraceInputs.OpenArchive(path);
        try
        {
            return archive is null ? null : BundleReader.ReadManifest(path, archive, out _);
        }
        catch (InvalidDataException)
        {
            // The list of its files is damaged: a bundle cannot be distinguished from another zip.
            return null;
        }
    }

    /// <summary>Reads a snapshot.</summary>
    /// <param name="json">UTF-8.</param>
    /// <param name="damage">What is wrong with it; null for nothing.</param>
    /// <returns>The snapshot; null when it is damaged.</returns>
    internal static SystemSnapshot? ParseSnapshot(byte[] json, out string? damage)
    {
        damage = null;
        try
        {
            SystemSnapshot? snapshot = JsonSerializer.Deserialize(json, SnapshotJson.Default.SystemSnapshot);
            if (snapshot is { Schema: SystemSnapshot.SchemaName }
                && snapshot.Sections.All(section => section is { Facts: var facts } && facts.All(fact => fact is not null)))
            {
                return snapshot;
            }

            damage = $"it is not of schema {SystemSnapshot.SchemaName}";
        }
        catch (JsonException exception)
        {
            damage = JsonDamage.Describe(exception, SystemSnapshot.SchemaName);
        }

        return null;
    }

    /// <summary>Reads the first file of a kind, other than a trace.</summary>
    /// <param name="path">A bundle.</param>
    /// <param name="kind">A kind of <see cref="BundleManifest"/>.</param>
    /// <returns>Its bytes; null when the bundle has none.</returns>
    /// <exception cref="TraceInputException">The bundle is damaged.</exception>
    public static byte[]? Read(string path, string kind)
    {
        BundleFile? found = ReadManifest(path)?.Files.FirstOrDefault(file => string.Equals(file.Kind, kind, StringComparison.Ordinal));
        return found is null ? null : Read(path, found);
    }

    /// <summary>Reads a file other than a trace.</summary>
    /// <returns>Its bytes.</returns>
    /// <exception cref="TraceInputException">The bundle is damaged.</exception>
    internal static byte[] Read(string path, BundleFile file)
    {
        if (file.Bytes > MaxTextBytes)
        {
            throw new TraceInputException(path, $"a bundle with a {file.Kind} of {file.Bytes} bytes, of which at most {MaxTextBytes} are read");
        }

        try
        {
            using ZipArchive archive = TraceInputs.OpenArchive(path)!;
            using Stream stream = BundleReader.Open(archive, file);
            var bytes = new MemoryStream();
            stream.CopyTo(bytes);
            return bytes.ToArray();
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException)
        {
            throw new TraceInputException(path, $"damaged bundle: {exception.Message}", exception);
        }
    }
}
