using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Text.Unicode;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Builds options in a buffer of the caller, for <see cref="PcapngWriter.WritePacket(in TraceRecord, ReadOnlySpan{byte})"/>:
/// <code>
/// var options = new PcapngOptionWriter(stackalloc byte[256]);
/// options.AddComment("PID=4711");
/// writer.WritePacket(record, options.Written);
/// </code>
/// opt_endofopt is added by the writer of the block. What does not fit is left out, a text cut short at a character.
/// </summary>
/// <param name="buffer">Where the options go.</param>
public ref struct PcapngOptionWriter(Span<byte> buffer)
{
    const int HeaderBytes = 4;

    readonly Span<byte> _buffer = buffer;
    int _length;

    /// <summary>The options so far.</summary>
    public readonly ReadOnlySpan<byte> Written => _buffer[.._length];

    /// <summary>Adds an option of bytes.</summary>
    /// <param name="code">Its code (<see cref="PcapngOption"/>).</param>
    /// <param name="value">Its value, at most 65535 bytes.</param>
    /// <returns>False when it does not fit.</returns>
    public bool Add(ushort code, scoped ReadOnlySpan<byte> value)
    {
        int padded = HeaderBytes + Padded(value.Length);
        if (value.Length > ushort.MaxValue || padded > _buffer.Length - _length)
        {
            return false;
        }

        Span<byte> option = _buffer.Slice(_length, padded);
        option[^Math.Min(padded, 4)..].Clear();
        value.CopyTo(option[HeaderBytes..]);
        Finish(code, value.Length);
        return true;
    }

    /// <summary>Adds a 32-bit option.</summary>
    /// <param name="code">Its code.</param>
    /// <param name="value">Its value.</param>
    /// <returns>False when it does not fit.</returns>
    public bool Add(ushort code, uint value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return Add(code, bytes);
    }

    /// <summary>Adds a 64-bit option.</summary>
    /// <param name="code">Its code.</param>
    /// <param name="value">Its value.</param>
    /// <returns>False when it does not fit.</returns>
    public bool Add(ushort code, ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        return Add(code, bytes);
    }

    /// <summary>Adds a text as UTF-8, cut to what fits.</summary>
    /// <param name="code">Its code.</param>
    /// <param name="text">The text; characters that are no valid UTF-16 become U+FFFD.</param>
    /// <returns>False when it was cut or left out.</returns>
    public bool Add(ushort code, scoped ReadOnlySpan<char> text)
    {
        int room = Math.Min(ushort.MaxValue, _buffer.Length - _length - HeaderBytes) & ~3;
        if (room <= 0)
        {
            return false;
        }

        Span<byte> value = _buffer.Slice(_length + HeaderBytes, room);
        OperationStatus status = Utf8.FromUtf16(text, value, out _, out int length);
        value[length..Math.Min(room, Padded(length))].Clear();
        Finish(code, length);
        return status == OperationStatus.Done;
    }

    /// <summary>Adds a comment.</summary>
    /// <param name="text">The text.</param>
    /// <returns>False when it was cut or left out.</returns>
    public bool AddComment(scoped ReadOnlySpan<char> text) => Add(PcapngOption.Comment, text);

    /// <summary>Adds a comment.</summary>
    /// <param name="utf8">The text as UTF-8.</param>
    /// <returns>False when it does not fit.</returns>
    public bool AddComment(scoped ReadOnlySpan<byte> utf8) => Add(PcapngOption.Comment, utf8);

    static int Padded(int length) => (length + 3) & ~3;

    void Finish(ushort code, int length)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(_buffer[_length..], code);
        BinaryPrimitives.WriteUInt16LittleEndian(_buffer[(_length + 2)..], (ushort)length);
        _length += HeaderBytes + Padded(length);
    }
}
