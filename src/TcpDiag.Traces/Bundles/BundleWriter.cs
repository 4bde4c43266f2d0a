using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text.Json;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Bundles;

/// <summary>
/// Writes a bundle front to back into any stream: files one after the other, each hashed as it passes, the manifest last. Nothing
/// large stands before the trace, so that a bundle that a crash has cut off still yields what was recorded.
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

    static string Tool { get; } = $"tcpdiag {Version()}";

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

    static string? Version() =>
        typeof(BundleWriter).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];
}

/// <summary>Passes bytes on, and reports their number and SHA-256 when it is closed.</summary>
sealed class HashingStream : SinkStream
{
    readonly Stream _inner;
    readonly Action<long, string> _closed;
    readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    long _length;
    bool _isClosed;

    /// <summary>Wraps a stream.</summary>
    /// <param name="inner">Takes the bytes; closed with this.</param>
    /// <param name="closed">Called with number and hash, lower-case hexadecimal.</param>
    public HashingStream(Stream inner, Action<long, string> closed)
    {
        _inner = inner;
        _closed = closed;
    }

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        _hash.AppendData(buffer);
        _length += buffer.Length;
        _inner.Write(buffer);
    }

    /// <inheritdoc/>
    public override void Flush() => _inner.Flush();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!_isClosed)
        {
            _isClosed = true;
            _inner.Dispose();
            _closed(_length, Convert.ToHexStringLower(_hash.GetHashAndReset()));
            _hash.Dispose();
        }

        base.Dispose(disposing);
    }
}
