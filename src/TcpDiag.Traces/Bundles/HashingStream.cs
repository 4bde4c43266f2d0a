using System;
using System.IO;
using System.Security.Cryptography;

namespace TcpDiag.Traces.Bundles;

/// <summary>Passes bytes on, and tells their number and SHA-256 when it is closed.</summary>
sealed class HashingStream : Stream
{
    readonly Stream _inner;
    readonly Action<long, string> _closed;
    readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    long _length;
    bool _isClosed;

    /// <summary>Wraps a stream.</summary>
    /// <param name="inner">Takes the bytes; closed with this.</param>
    /// <param name="closed">Is told number and hash, lower-case hexadecimal.</param>
    public HashingStream(Stream inner, Action<long, string> closed)
    {
        _inner = inner;
        _closed = closed;
    }

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        _hash.AppendData(buffer);
        _length += buffer.Length;
        _inner.Write(buffer);
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Flush() => _inner.Flush();

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

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
