using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Text.Unicode;

namespace TcpDiag.Traces.Pcapng;

/// <summary>Option codes of pcapng blocks, under the names the draft gives them. Codes from 2 on depend on the block.</summary>
public static class PcapngOption
{
    /// <summary>Ends a list of options.</summary>
    public const ushort EndOfOpt = 0;

    /// <summary>Comment, UTF-8; may be repeated.</summary>
    public const ushort Comment = 1;

    /// <summary>Custom option, UTF-8 text, may be copied.</summary>
    public const ushort CustomText = 2988;

    /// <summary>Custom option, bytes, may be copied.</summary>
    public const ushort CustomBytes = 2989;

    /// <summary>Custom option, UTF-8 text, must not be copied into other files.</summary>
    public const ushort CustomTextNoCopy = 19372;

    /// <summary>Custom option, bytes, must not be copied into other files.</summary>
    public const ushort CustomBytesNoCopy = 19373;

    /// <summary>Section: hardware, UTF-8.</summary>
    public const ushort ShbHardware = 2;

    /// <summary>Section: operating system, UTF-8.</summary>
    public const ushort ShbOs = 3;

    /// <summary>Section: program that wrote it, UTF-8.</summary>
    public const ushort ShbUserAppl = 4;

    /// <summary>Interface: name, UTF-8.</summary>
    public const ushort IfName = 2;

    /// <summary>Interface: description, UTF-8.</summary>
    public const ushort IfDescription = 3;

    /// <summary>Interface: IPv4 address and netmask, 8 bytes; may be repeated.</summary>
    public const ushort IfIpv4Addr = 4;

    /// <summary>Interface: IPv6 address and prefix length, 17 bytes; may be repeated.</summary>
    public const ushort IfIpv6Addr = 5;

    /// <summary>Interface: MAC address, 6 bytes.</summary>
    public const ushort IfMacAddr = 6;

    /// <summary>Interface: speed, 64 bits, bits per second.</summary>
    public const ushort IfSpeed = 8;

    /// <summary>Interface: resolution of time stamps, one byte: 10^-n seconds, or 2^-n with the highest bit set.</summary>
    public const ushort IfTsResol = 9;

    /// <summary>Interface: seconds to add to time stamps, signed 64 bits.</summary>
    public const ushort IfTsOffset = 14;

    /// <summary>Interface: speed of sending, 64 bits, bits per second.</summary>
    public const ushort IfTxSpeed = 16;

    /// <summary>Interface: speed of receiving, 64 bits, bits per second.</summary>
    public const ushort IfRxSpeed = 17;

    /// <summary>Packet: flags, 32 bits; the lowest two are the direction.</summary>
    public const ushort EpbFlags = 2;

    /// <summary>Packet: a hash, one byte of algorithm and the hash.</summary>
    public const ushort EpbHash = 3;

    /// <summary>Packet: packets lost before this one at this interface, 64 bits.</summary>
    public const ushort EpbDropCount = 4;

    /// <summary>Packet: number under which the packet appears at several interfaces, 64 bits.</summary>
    public const ushort EpbPacketId = 5;

    /// <summary>Packet: queue of the interface, 32 bits.</summary>
    public const ushort EpbQueue = 6;

    /// <summary>Packet: one byte of verdict type (0 hardware, 1 Linux TC, 2 Linux XDP), then the verdict: 64 bits for 1 and 2.</summary>
    public const ushort EpbVerdict = 7;

    /// <summary>Packet: process and thread, 32 bits each.</summary>
    public const ushort EpbProcessIdThreadId = 8;

    /// <summary>Statistics: start of the capture, a time stamp.</summary>
    public const ushort IsbStartTime = 2;

    /// <summary>Statistics: end of the capture, a time stamp.</summary>
    public const ushort IsbEndTime = 3;

    /// <summary>Statistics: packets received, 64 bits.</summary>
    public const ushort IsbIfRecv = 4;

    /// <summary>Statistics: packets dropped by the interface, 64 bits.</summary>
    public const ushort IsbIfDrop = 5;

    /// <summary>Statistics: packets dropped by the operating system, 64 bits.</summary>
    public const ushort IsbOsDrop = 7;
}

/// <summary>
/// Walks over the options of a block in little-endian order, e.g. <see cref="TraceRecord.PcapngOptions"/>. Ends at
/// opt_endofopt, at the end of the bytes, or at an option that is longer than the bytes left.
/// <code>
/// var options = new PcapngOptionReader(record.PcapngOptions);
/// while (options.TryRead(out ushort code, out ReadOnlySpan&lt;byte&gt; value)) { … }
/// </code>
/// </summary>
public ref struct PcapngOptionReader
{
    const int HeaderBytes = 4;

    ReadOnlySpan<byte> _rest;

    /// <summary>Starts at the first option.</summary>
    /// <param name="options">The options of one block.</param>
    public PcapngOptionReader(ReadOnlySpan<byte> options) => _rest = options;

    /// <summary>Reads the next option.</summary>
    /// <param name="code">Its code (<see cref="PcapngOption"/>).</param>
    /// <param name="value">Its value without padding.</param>
    /// <returns>False after the last one.</returns>
    public bool TryRead(out ushort code, out ReadOnlySpan<byte> value)
    {
        if (_rest.Length >= HeaderBytes)
        {
            code = BinaryPrimitives.ReadUInt16LittleEndian(_rest);
            int length = BinaryPrimitives.ReadUInt16LittleEndian(_rest[2..]);
            if (code != PcapngOption.EndOfOpt && length <= _rest.Length - HeaderBytes)
            {
                value = _rest.Slice(HeaderBytes, length);
                _rest = _rest[Math.Min(_rest.Length, (HeaderBytes + length + 3) & ~3)..];
                return true;
            }
        }

        code = PcapngOption.EndOfOpt;
        value = default;
        _rest = default;
        return false;
    }
}

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
