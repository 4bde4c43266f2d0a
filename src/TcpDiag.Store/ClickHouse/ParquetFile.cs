using System;
using System.Buffers;
using System.IO;

namespace TcpDiag.Store.ClickHouse;

/// <summary>A file of Apache Parquet as a server sends it: what begins and ends with its magic number is whole (parquet.apache.org, file format).</summary>
static class ParquetFile
{
    const int BufferBytes = 1 << 16;

    static ReadOnlySpan<byte> Magic => "PAR1"u8;

    /// <summary>Copies it.</summary>
    /// <param name="input">The server's answer; what it says of an error may stand in the middle.</param>
    /// <param name="output">Takes the file.</param>
    /// <exception cref="InvalidDataException">It is none, or not whole.</exception>
    public static void Copy(Stream input, Stream output)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
        try
        {
            Span<byte> end = stackalloc byte[Magic.Length];
            int read = input.ReadAtLeast(buffer, Magic.Length, throwOnEndOfStream: false);
            bool isOne = buffer.AsSpan(0, read).StartsWith(Magic);
            long length = 0;
            for (; isOne && read > 0; read = input.Read(buffer))
            {
                output.Write(buffer, 0, read);
                Keep(end, buffer.AsSpan(0, read));
                length += read;
            }

            if (length < 2 * Magic.Length || !end.SequenceEqual(Magic))
            {
                throw new InvalidDataException("expected a file of Parquet, found one that is not whole.");
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    // The last bytes so far.
    static void Keep(Span<byte> end, ReadOnlySpan<byte> read)
    {
        int kept = Math.Max(end.Length - read.Length, 0);
        end[^kept..].CopyTo(end);
        read[^(end.Length - kept)..].CopyTo(end[kept..]);
    }
}
