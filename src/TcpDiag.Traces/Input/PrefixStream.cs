using System;
using System.IO;

namespace TcpDiag.Traces.Input;

/// <summary>Puts back the bytes that were read from a stream to see what it is.</summary>
/// <param name="prefix">The bytes read.</param>
/// <param name="rest">The stream behind them; closed with this one.</param>
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
