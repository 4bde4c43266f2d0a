using System;
using System.IO;
using System.Security.Cryptography;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Bundles;

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
