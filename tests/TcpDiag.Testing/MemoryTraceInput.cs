using System;
using TcpDiag.Traces.Input;

namespace TcpDiag.Testing;

/// <summary>An input over bytes in memory, e.g. those a test has built or damaged.</summary>
/// <param name="bytes">The bytes.</param>
/// <param name="path">What the input says it is called.</param>
public sealed class MemoryTraceInput(ReadOnlyMemory<byte> bytes, string path = "memory") : TraceInput
{
    long _position;

    public override string Path => path;
    public override long? Length => bytes.Length;
    public override bool CanReadAt => true;

    public override int Read(Span<byte> destination)
    {
        int count = ReadAt(_position, destination);
        _position += count;
        return count;
    }

    public override int ReadAt(long offset, Span<byte> destination)
    {
        if (offset < 0 || offset >= bytes.Length)
        {
            return 0;
        }

        ReadOnlySpan<byte> source = bytes.Span[(int)offset..];
        int count = Math.Min(source.Length, destination.Length);
        source[..count].CopyTo(destination);
        return count;
    }

    protected override void Dispose(bool disposing)
    {
    }
}
