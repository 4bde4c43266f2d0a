using System;
using System.Buffers;
using System.Buffers.Binary;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Pcapng;

namespace TcpDiag.Traces.Bundles;

/// <summary>
/// Reads bundles: a zip of standard files with a manifest. Nothing is unpacked under a name from the file, nothing grows beyond
/// what the manifest declares, and each file is compared with its hash as it is read.
/// </summary>
static class BundleReader
{
    // A manifest names a handful of files.
    const int MaxManifestBytes = 1 << 20;

    static readonly SearchValues<char> NameCharacters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_");

    /// <summary>Reads the manifest of a zip.</summary>
    /// <param name="path">For messages.</param>
    /// <param name="archive">The zip.</param>
    /// <param name="damage">What is wrong with the manifest, for people: then the zip is one without; else null.</param>
    /// <returns>The manifest; null when this is another zip, or its manifest is damaged.</returns>
    /// <exception cref="TraceInputException">It is a bundle whose manifest cannot be trusted.</exception>
    public static BundleManifest? ReadManifest(string path, ZipArchive archive, out string? damage)
    {
        damage = null;
        if (archive.GetEntry(BundleManifest.FileName) is not { } entry || Parse(path, entry, out damage) is not { } manifest)
        {
            return null;
        }

        if (!string.Equals(manifest.Schema, BundleManifest.SchemaName, StringComparison.Ordinal))
        {
            throw new TraceInputException(path, $"a bundle of schema '{manifest.Schema}', expected {BundleManifest.SchemaName}. A later tcpdiag may read it; its files are in a plain zip.");
        }

        Check(path, archive, manifest);
        return manifest;
    }

    /// <summary>Opens the trace of a bundle; several as one, in the order of the manifest.</summary>
    /// <param name="path">For messages.</param>
    /// <param name="archive">The zip.</param>
    /// <param name="manifest">Its manifest.</param>
    /// <returns>Its bytes; reading ends with an exception where they are not what the manifest declares.</returns>
    /// <exception cref="TraceInputException">It holds none, or several that cannot follow one another.</exception>
    public static Stream OpenTrace(string path, ZipArchive archive, BundleManifest manifest)
    {
        BundleFile[] traces = [.. manifest.Files.Where(file => file.Kind is BundleManifest.TraceKind)];
        switch (traces)
        {
            case [var trace]:
                return Open(archive, trace);
            case []:
                throw new TraceInputException(path, "a bundle without a trace in it: its recording has recorded nothing");
            default:
                RequireSections(path, archive, traces);
                return new JoinedStream(traces.Select(trace => Open(archive, trace)));
        }
    }

    /// <summary>Opens a file of a bundle.</summary>
    /// <param name="archive">The zip.</param>
    /// <param name="file">One of its manifest.</param>
    /// <returns>Its bytes; reading ends with an exception where they are not what the manifest declares.</returns>
    public static Stream Open(ZipArchive archive, BundleFile file) => new VerifiedStream(archive.GetEntry(file.Name)!.Open(), file);

    // Sections of pcapng may follow one another in one stream (docs/formats/bundle.md); no other format can.
    static void RequireSections(string path, ZipArchive archive, BundleFile[] traces)
    {
        byte[] head = new byte[sizeof(uint)];
        foreach (BundleFile trace in traces)
        {
            using Stream stream = Open(archive, trace);
            int length = stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            if (length < head.Length || BinaryPrimitives.ReadUInt32LittleEndian(head) != (uint)PcapngBlockType.SectionHeader)
            {
                throw new TraceInputException(path, $"a bundle with several traces in it, of which {trace.Name} is no pcapng: only pcapng is read as one. It is a plain zip: unpack it and name them.");
            }
        }
    }

    static BundleManifest? Parse(string path, ZipArchiveEntry entry, out string? damage)
    {
        const string unread = $"{BundleManifest.FileName} cannot be read, so that only the first trace of the bundle is, and without comparing its hash: ";
        damage = null;
        byte[] bytes = new byte[MaxManifestBytes];
        try
        {
            using Stream stream = entry.Open();
            int length = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            if (length == bytes.Length)
            {
                throw new TraceInputException(path, $"a bundle whose {BundleManifest.FileName} is larger than {MaxManifestBytes} bytes");
            }

            return JsonSerializer.Deserialize(bytes.AsSpan(0, length), BundleJsonContext.Default.BundleManifest) is { } manifest && manifest.Files.All(file => file is not null)
                ? manifest
                : throw new JsonException();
        }
        catch (JsonException exception)
        {
            damage = unread + JsonDamage.Describe(exception, BundleManifest.SchemaName);
        }
        catch (InvalidDataException)
        {
            damage = unread + "its packed bytes are damaged";
        }

        return null;
    }

    static void Check(string path, ZipArchive archive, BundleManifest manifest)
    {
        foreach (BundleFile file in manifest.Files)
        {
            if (file.Name.Length == 0 || file.Name.AsSpan().ContainsAnyExcept(NameCharacters) || file.Name[0] == '.')
            {
                throw new TraceInputException(path, $"a bundle that names a file outside itself: '{file.Name}'. It was not written by tcpdiag.");
            }

            if (archive.GetEntry(file.Name) is null)
            {
                throw new TraceInputException(path, $"a bundle without the file {file.Name} that its manifest names");
            }
        }
    }
}
