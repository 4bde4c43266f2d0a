using System;
using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Traces.Input;

/// <summary>Several streams as one, read one after the other. Each is opened when its turn has come.</summary>
/// <param name="parts">Opens the streams, in their order; enumerated once.</param>
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
