using System;
using System.IO;
using System.IO.Compression;

namespace TcpDiag.Traces.Input;

/// <summary>A stream that is read once, front to back: standard input, a pipe, or what a decompressor yields.</summary>
sealed class StreamInput : TraceInput
{
    readonly Stream _stream;
    readonly IDisposable? _owner;
    readonly ZipArchive? _bundle;
    readonly uint? _expectedCrc;
    uint _crc;
    long _position;
    string? _damage;
    bool _hasStopped;

    /// <summary>Takes over a stream.</summary>
    /// <param name="path">The file as the user named it.</param>
    /// <param name="stream">Open for reading; closed with this input.</param>
    /// <param name="owner">What else to close, e.g. the archive that the stream is an entry of.</param>
    /// <param name="damage">What is known to be wrong with it from the start; null for nothing.</param>
    /// <param name="expectedCrc">CRC-32 of the bytes by the archive; null where it has none, or the stream checks it itself.</param>
    public StreamInput(string path, Stream stream, IDisposable? owner = null, string? damage = null, uint? expectedCrc = null)
    {
        _damage = damage;
        Path = path;
        _stream = stream;
        _owner = owner;
        _expectedCrc = expectedCrc;
    }

    /// <summary>Takes over a trace of a bundle.</summary>
    /// <param name="path">The file as the user named it.</param>
    /// <param name="stream">The trace.</param>
    /// <param name="bundle">The bundle; closed with this input.</param>
    public StreamInput(string path, Stream stream, ZipArchive bundle)
        : this(path, stream, (IDisposable)bundle) => _bundle = bundle;

    /// <inheritdoc/>
    public override string Path { get; }

    /// <inheritdoc/>
    internal override ZipArchive? Bundle => _bundle;

    /// <inheritdoc/>
    public override long? Length => null;

    /// <inheritdoc/>
    public override bool CanReadAt => false;

    /// <inheritdoc/>
    public override string? Damage => _damage;

    /// <inheritdoc/>
    public override int Read(Span<byte> destination)
    {
        int count = 0;
        int read;
        while (count < destination.Length && (read = ReadSome(destination[count..])) > 0)
        {
            count += read;
        }

        return count;
    }

    /// <inheritdoc/>
    public override int ReadSome(Span<byte> destination)
    {
        if (_hasStopped)
        {
            return 0;
        }

        try
        {
            int count = _stream.Read(destination);
            _crc = _expectedCrc is null ? 0 : Crc32.Append(_crc, destination[..count]);
            if (count == 0 && destination.Length > 0)
            {
                CheckCrc();
            }

            _position += count;
            return count;
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException)
        {
            _hasStopped = true;
            _damage ??= $"reading stopped at byte {_position} of the decompressed data: {exception.Message}";
            return 0;
        }
    }

    /// <inheritdoc/>
    public override int ReadAt(long offset, Span<byte> destination) =>
        throw new NotSupportedException("This input is read front to back only.");

    void CheckCrc()
    {
        if (_expectedCrc is { } expected && _crc != expected)
        {
            _damage ??= $"the archive is damaged: expected CRC-32 {expected:x8} of what is in it, found {_crc:x8}. "
                + "Some of it is not what was recorded; copy or download it again.";
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _stream.Dispose();
        _owner?.Dispose();
    }
}

/// <summary>Puts back the bytes that were read from an input to see what it is.</summary>
/// <param name="prefix">The bytes read.</param>
/// <param name="rest">The input after them; closed with this one.</param>
sealed class PrefixedInput(ReadOnlyMemory<byte> prefix, TraceInput rest) : TraceInput
{
    int _consumed;

    /// <inheritdoc/>
    public override string Path => rest.Path;

    /// <inheritdoc/>
    public override long? Length => rest.Length;

    /// <inheritdoc/>
    public override bool CanReadAt => false;

    /// <inheritdoc/>
    public override string? Damage => rest.Damage;

    /// <inheritdoc/>
    public override int Read(Span<byte> destination)
    {
        int count = Math.Min(destination.Length, prefix.Length - _consumed);
        prefix.Span.Slice(_consumed, count).CopyTo(destination);
        _consumed += count;
        return count == destination.Length ? count : count + rest.Read(destination[count..]);
    }

    /// <inheritdoc/>
    public override int ReadSome(Span<byte> destination) =>
        _consumed == prefix.Length ? rest.ReadSome(destination) : Read(destination[..Math.Min(destination.Length, prefix.Length - _consumed)]);

    /// <inheritdoc/>
    public override int ReadAt(long offset, Span<byte> destination) => rest.ReadAt(offset, destination);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => rest.Dispose();
}
