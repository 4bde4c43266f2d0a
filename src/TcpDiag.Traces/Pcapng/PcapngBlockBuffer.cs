using System;
using System.Buffers;
using System.Buffers.Binary;
using System.IO;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcapng;

/// <summary>Collects blocks for an output; the block being built is always contiguous.</summary>
/// <param name="output">Where they go; closed with the buffer.</param>
sealed class PcapngBlockBuffer(Stream output) : IDisposable
{
    /// <summary>Type and length in front of the body of a block.</summary>
    public const int HeaderBytes = 8;

    /// <summary>The length that ends a block.</summary>
    public const int TrailerBytes = PcapngBlockScanner.TrailerBytes;

    /// <summary>Code and length in front of an option; opt_endofopt is nothing else.</summary>
    public const int OptionHeaderBytes = 4;

    const int BufferBytes = 1 << 18;

    byte[] _buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
    int _length;

    /// <summary>Bytes of all blocks so far.</summary>
    public long Length { get; private set; }

    /// <summary>A length rounded up to 32 bits.</summary>
    /// <param name="length">Bytes.</param>
    public static int Padded(int length) => (length + 3) & ~3;

    /// <summary>Writes a time stamp in nanoseconds: two words, the upper one first.</summary>
    /// <param name="words">At least eight bytes.</param>
    /// <param name="time">The time.</param>
    public static void WriteTime(Span<byte> words, TraceTime time)
    {
        // Unsigned here: before 1970 there is nothing.
        ulong nanoseconds = (ulong)Math.Max(0, time.Nanoseconds);
        BinaryPrimitives.WriteUInt32LittleEndian(words, (uint)(nanoseconds >> 32));
        BinaryPrimitives.WriteUInt32LittleEndian(words[4..], unchecked((uint)nanoseconds));
    }

    /// <summary>Appends bytes to a body, padded with zeros.</summary>
    /// <param name="body">The body.</param>
    /// <param name="length">What is filled of it so far.</param>
    /// <param name="bytes">The bytes.</param>
    public static int Append(Span<byte> body, int length, scoped ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(body[length..]);
        int end = length + bytes.Length;
        int padded = Padded(end);
        body[end..padded].Clear();
        return padded;
    }

    /// <summary>Appends opt_endofopt.</summary>
    public static int EndOptions(Span<byte> body, int length)
    {
        body.Slice(length, OptionHeaderBytes).Clear();
        return length + OptionHeaderBytes;
    }

    /// <summary>Makes room for a block.</summary>
    public Span<byte> Begin(PcapngBlockType type, int bodyBytes)
    {
        int room = HeaderBytes + bodyBytes + TrailerBytes;
        if (room > _buffer.Length - _length)
        {
            MakeRoom(room);
        }

        BinaryPrimitives.WriteUInt32LittleEndian(_buffer.AsSpan(_length), (uint)type);
        return _buffer.AsSpan(_length + HeaderBytes, bodyBytes);
    }

    /// <summary>Completes the block begun last.</summary>
    /// <param name="bodyBytes">What is filled of its body, a multiple of four.</param>
    public void End(int bodyBytes)
    {
        int total = HeaderBytes + bodyBytes + TrailerBytes;
        Span<byte> block = _buffer.AsSpan(_length, total);
        BinaryPrimitives.WriteInt32LittleEndian(block[4..], total);
        BinaryPrimitives.WriteInt32LittleEndian(block[^TrailerBytes..], total);
        _length += total;
        Length += total;
    }

    /// <summary>Hands all blocks to the output.</summary>
    public void Flush()
    {
        output.Write(_buffer, 0, _length);
        _length = 0;
        output.Flush();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_buffer.Length == 0)
        {
            return;
        }

        try
        {
            Flush();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
            output.Dispose();
        }
    }

    void MakeRoom(int bytes)
    {
        output.Write(_buffer, 0, _length);
        _length = 0;
        if (bytes > _buffer.Length)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
            _buffer = ArrayPool<byte>.Shared.Rent(bytes);
        }
    }
}
