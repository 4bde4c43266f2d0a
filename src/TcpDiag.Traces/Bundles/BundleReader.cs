using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Security.Cryptography;
using System.Text.Json;
using TcpDiag.Traces.Input;

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
            throw new TraceInputException(
                path,
                $"a bundle of schema '{manifest.Schema}', expected {BundleManifest.SchemaName}. A later tcpdiag may read it; its files are in a plain zip.");
        }

        RequireSingleEntries(path, archive);
        Check(path, archive, manifest);
        return manifest;
    }

    public static BundleFile[] Traces(BundleManifest manifest) => [.. manifest.Files.Where(file => file.Kind is BundleManifest.TraceKind)];

    /// <summary>Opens the trace of a bundle; several of pcapng as one, in the order of the manifest, of several .etl the first.</summary>
    /// <returns>Its bytes; reading ends with an exception where they are not what the manifest declares.</returns>
    /// <exception cref="TraceInputException">It holds none, or several that cannot follow one another.</exception>
    public static Stream OpenTrace(string path, ZipArchive archive, BundleManifest manifest)
    {
        BundleFile[] traces = Traces(manifest);
        switch (traces)
        {
            case [var trace]:
                return Open(archive, trace);
            case []:
                throw new TraceInputException(path, "a bundle without a trace in it: its recording has recorded nothing");
            default:
                return CommonFormat(path, archive, traces) is TraceFormat.Etl
                    ? Open(archive, traces[0])
                    : new JoinedStream(traces.Select(trace => Open(archive, trace)));
        }
    }

    /// <summary>Opens a file of a bundle.</summary>
    /// <returns>Its bytes; reading ends with an exception where they are not what the manifest declares.</returns>
    public static Stream Open(ZipArchive archive, BundleFile file) => new VerifiedStream(archive.GetEntry(file.Name)!.Open(), file);

    // Sections of pcapng may follow one another in one stream, and .etl files are merged (docs/formats/bundle.md).
    static TraceFormat CommonFormat(string path, ZipArchive archive, BundleFile[] traces)
    {
        TraceFormat? first = null;
        byte[] head = new byte[TraceFile.HeadBytes];
        foreach (BundleFile trace in traces)
        {
            using Stream stream = Open(archive, trace);
            int length = stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            TraceFormat? format = TraceFile.FormatOf(head.AsSpan(0, length));
            first ??= format;
            if (format is not (TraceFormat.Pcapng or TraceFormat.Etl) || format != first)
            {
                throw new TraceInputException(
                    path,
                    $"a bundle with several traces in it, of which {trace.Name} is no {(first is TraceFormat.Etl ? ".etl" : "pcapng")}: "
                    + "only several of pcapng, or several of .etl, are read as one. It is a plain zip: unpack it and name them.");
            }
        }

        return first!.Value;
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

            return JsonSerializer.Deserialize(bytes.AsSpan(0, length), BundleJsonContext.Default.BundleManifest) is { } manifest
                && manifest.Files.All(file => file is not null)
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

    // Of two files of one name another program unpacks the one that was not read here.
    static void RequireSingleEntries(string path, ZipArchive archive)
    {
        var met = new HashSet<string>(StringComparer.Ordinal);
        if (archive.Entries.FirstOrDefault(entry => !met.Add(entry.FullName)) is { } second)
        {
            throw new TraceInputException(path, $"a bundle with several files of the name '{second.FullName}'. It was not written by tcpdiag.");
        }
    }

    static void Check(string path, ZipArchive archive, BundleManifest manifest)
    {
        var named = new HashSet<string>(StringComparer.Ordinal);
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

            // Otherwise a small bundle could unpack to any size.
            if (!named.Add(file.Name))
            {
                throw new TraceInputException(path, $"a bundle whose manifest names {file.Name} more than once. It was not written by tcpdiag.");
            }

            if (file.Bytes < 0)
            {
                throw new TraceInputException(path, $"a bundle whose manifest declares {file.Bytes} bytes of {file.Name}. It was not written by tcpdiag.");
            }
        }
    }
}

/// <summary>A file of a bundle while it is read: never longer than its manifest declares, and at its end compared with its length and hash.</summary>
sealed class VerifiedStream : ForwardStream
{
    readonly Stream _inner;
    readonly BundleFile _file;
    readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    long _length;
    bool _isChecked;

    /// <summary>Wraps a stream.</summary>
    /// <param name="inner">The unpacked bytes; closed with this.</param>
    /// <param name="file">What the manifest declares.</param>
    public VerifiedStream(Stream inner, BundleFile file)
    {
        _inner = inner;
        _file = file;
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        int count = _inner.Read(buffer);
        _hash.AppendData(buffer[..count]);
        _length += count;
        if (_length > _file.Bytes)
        {
            throw new InvalidDataException($"{_file.Name} unpacks to more than the {_file.Bytes} bytes that the manifest declares");
        }

        if (count == 0 && buffer.Length > 0 && !_isChecked)
        {
            _isChecked = true;
            Check();
        }

        return count;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _inner.Dispose();
        _hash.Dispose();
        base.Dispose(disposing);
    }

    void Check()
    {
        if (_length < _file.Bytes)
        {
            throw new InvalidDataException($"{_file.Name} has {_length} bytes, the manifest declares {_file.Bytes}");
        }

        if (!string.Equals(Convert.ToHexStringLower(_hash.GetHashAndReset()), _file.Sha256, StringComparison.Ordinal))
        {
            throw new InvalidDataException($"{_file.Name} has another SHA-256 than the manifest declares: it was changed after it was recorded");
        }
    }
}

/// <summary>Says of a document of a bundle what is wrong with it, in words of its schema instead of those of the library that reads it.</summary>
static class JsonDamage
{
    /// <summary>Describes what a reader met.</summary>
    public static string Describe(JsonException exception, string schema)
    {
        string line = exception.LineNumber is { } number ? FormattableString.Invariant($" at line {number + 1}") : string.Empty;
        string field = exception.Path is { Length: > 1 } path ? $", field {path.TrimStart('$', '.')}" : string.Empty;
        return $"expected JSON of schema {schema}, found something else{line}{field}";
    }
}
