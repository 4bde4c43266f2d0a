using System;
using System.IO;
using System.Security.Cryptography;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Bundles;

/// <summary>Passes bytes on, and tells their number and SHA-256 when it is closed.</summary>
sealed class HashingStream : SinkStream
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
