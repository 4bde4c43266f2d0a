using System;

namespace TcpDiag.Traces.Input;

/// <summary>Puts back the bytes that were read from an input to see what it is.</summary>
/// <param name="prefix">The bytes read.</param>
/// <param name="rest">The input behind them; closed with this one.</param>
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
