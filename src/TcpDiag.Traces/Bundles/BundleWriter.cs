using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace TcpDiag.Traces.Bundles;

/// <summary>
/// Writes a bundle front to back into any stream: files one after the other, each hashed as it passes, the manifest last. Nothing
/// large stands before the trace, so that a bundle that a crash has cut off still gives what was recorded.
/// </summary>
public sealed class BundleWriter : IDisposable
{
    /// <summary>The end of a bundle's name.</summary>
    public const string Extension = ".tcpdiag";

    readonly ZipArchive _archive;
    readonly List<BundleFile> _files = [];
    HashingStream? _open;

    /// <summary>Begins a bundle.</summary>
    /// <param name="output">Where to; need not seek. Closed with the bundle.</param>
    public BundleWriter(Stream output) => _archive = new(output, ZipArchiveMode.Create);

    // Program and version.
    static string Tool { get; } = $"tcpdiag {typeof(BundleWriter).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]}";

    /// <summary>Begins a file; the one before must be closed.</summary>
    /// <param name="name">Its name: no folders.</param>
    /// <param name="kind">One of the kinds of <see cref="BundleManifest"/>.</param>
    /// <returns>Takes its bytes; closed by the caller.</returns>
    public Stream Create(string name, string kind)
    {
        Stream entry = _archive.CreateEntry(name, CompressionLevel.Fastest).Open();
        _open = new HashingStream(entry, (bytes, hash) => _files.Add(new(name, kind, bytes, hash)));
        return _open;
    }

    /// <summary>Copies a file.</summary>
    /// <param name="name">Its name in the bundle.</param>
    /// <param name="kind">One of the kinds of <see cref="BundleManifest"/>.</param>
    /// <param name="source">Read to its end.</param>
    public void Add(string name, string kind, Stream source)
    {
        ArgumentNullException.ThrowIfNull(source);
        using Stream target = Create(name, kind);
        source.CopyTo(target);
    }

    /// <summary>What a manifest says of a recording on this machine; its files are filled in by <see cref="Complete"/>.</summary>
    /// <param name="engine">What recorded.</param>
    /// <param name="match">Which traffic was asked for.</param>
    /// <param name="stopReason">Why it ended.</param>
    /// <param name="remarks">What went wrong or is missing.</param>
    /// <param name="now">The time.</param>
    /// <returns>The manifest.</returns>
    public static BundleManifest Describe(string engine, string match, string stopReason, IReadOnlyList<string> remarks, DateTimeOffset now) =>
        new(BundleManifest.SchemaName, Tool, now, engine, RuntimeInformation.OSDescription, match, stopReason, [], remarks);

    /// <summary>Writes the manifest.</summary>
    /// <param name="manifest">The manifest; its files are filled in.</param>
    public void Complete(BundleManifest manifest)
    {
        using Stream target = _archive.CreateEntry(BundleManifest.FileName, CompressionLevel.Fastest).Open();
        JsonSerializer.Serialize(target, manifest with { Files = _files }, BundleJsonContext.Default.BundleManifest);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _open?.Dispose();
        _archive.Dispose();
    }
}
