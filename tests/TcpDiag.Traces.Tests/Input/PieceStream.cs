using System;
using System.IO;

namespace TcpDiag.Traces.Tests.Input;

/// <summary>A stream that gives its bytes in pieces of given sizes, again and again, as a pipe may.</summary>
sealed class PieceStream(byte[] content, int[] sizes) : MemoryStream(content)
{
    int _reads;

    public override int Read(Span<byte> buffer)
    {
        int size = sizes[_reads++ % sizes.Length];
        return base.Read(buffer[..Math.Min(size, buffer.Length)]);
    }
}
