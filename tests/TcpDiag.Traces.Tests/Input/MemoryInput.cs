using System;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Tests.Input;

/// <summary>Bytes as an input, readable at positions.</summary>
sealed class MemoryInput(byte[] bytes, string? damage = null) : TraceInput
{
    long _position;

    public bool IsDisposed { get; private set; }

    public override string Path => "memory";

    public override long? Length => bytes.Length;

    public override bool CanReadAt => true;

    public override string? Damage => _position == bytes.Length ? damage : null;

    public override int Read(Span<byte> destination)
    {
        int count = ReadAt(_position, destination);
        _position += count;
        return count;
    }

    public override int ReadAt(long offset, Span<byte> destination)
    {
        int count = (int)Math.Clamp(bytes.Length - offset, 0, destination.Length);
        bytes.AsSpan((int)Math.Min(offset, bytes.Length), count).CopyTo(destination);
        return count;
    }

    protected override void Dispose(bool disposing) => IsDisposed = true;
}
