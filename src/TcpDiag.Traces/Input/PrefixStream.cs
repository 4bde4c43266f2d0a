using System;
using System.IO;

namespace TcpDiag.Traces.Input;

/// <summary>Puts back the bytes that were read from a stream to see what it is.</summary>
/// <param name="prefix">The bytes read.</param>
/// <param name="rest">The stream behind them; closed with this one.</param>
sealed class PrefixStream(byte[] prefix, Stream rest) : Stream
{
    int _consumed;

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        if (_consumed == prefix.Length)
        {
            return rest.Read(buffer);
        }

        int count = Math.Min(buffer.Length, prefix.Length - _consumed);
        prefix.AsSpan(_consumed, count).CopyTo(buffer);
        _consumed += count;
        return count;
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Flush() => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            rest.Dispose();
        }

        base.Dispose(disposing);
    }
}
