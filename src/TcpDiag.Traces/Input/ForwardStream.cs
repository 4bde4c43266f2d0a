using System;
using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Traces.Input;

/// <summary>A stream that is read once, front to back, and nothing else.</summary>
abstract class ForwardStream : Stream
{
    /// <inheritdoc/>
    public sealed override bool CanRead => true;

    /// <inheritdoc/>
    public sealed override bool CanSeek => false;

    /// <inheritdoc/>
    public sealed override bool CanWrite => false;

    /// <inheritdoc/>
    public sealed override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public sealed override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public abstract override int Read(Span<byte> buffer);

    /// <inheritdoc/>
    public sealed override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public sealed override void Flush()
    {
    }

    /// <inheritdoc/>
    public sealed override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public sealed override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public sealed override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}

/// <summary>Puts back the bytes that were read from a stream to see what it is.</summary>
/// <param name="prefix">The bytes read.</param>
/// <param name="rest">The stream after them; closed with this one.</param>
sealed class PrefixStream(byte[] prefix, Stream rest) : ForwardStream
{
    int _consumed;

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
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            rest.Dispose();
        }

        base.Dispose(disposing);
    }
}

/// <summary>Several streams as one, read one after the other. Each is opened when its turn has come.</summary>
sealed class JoinedStream(IEnumerable<Stream> parts) : ForwardStream
{
    readonly IEnumerator<Stream> _parts = parts.GetEnumerator();
    Stream? _current;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        while (buffer.Length > 0 && (_current ??= Next()) is { } current)
        {
            int count = current.Read(buffer);
            if (count > 0)
            {
                return count;
            }

            current.Dispose();
            _current = null;
        }

        return 0;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _current?.Dispose();
            _parts.Dispose();
        }

        base.Dispose(disposing);
    }

    Stream? Next() => _parts.MoveNext() ? _parts.Current : null;
}

/// <summary>A trace's bytes as a stream.</summary>
/// <param name="input">Read front to back; closed with this.</param>
sealed class InputStream(TraceInput input) : ForwardStream
{
    /// <inheritdoc/>
    public override int Read(Span<byte> buffer) => input.Read(buffer);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        input.Dispose();
        base.Dispose(disposing);
    }
}

/// <summary>A stream that is only written, front to back: what is not asked of one.</summary>
public abstract class SinkStream : Stream
{
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
    public abstract override void Write(ReadOnlySpan<byte> buffer);

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();
}
