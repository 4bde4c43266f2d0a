using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl.Compression;

/// <summary>
/// Encodes XPRESS "plain LZ77" ([MS-XCA] 2.4; docs/formats/etl.md, "Compressed buffers"), greedily and with one candidate per hash of three
/// bytes: fast, and within a few per cent of what Windows writes for event buffers.
/// </summary>
ref struct XpressEncoder
{
    const int MinMatch = 3;

    // Real streams never use the whole 8192.
    const int MaxDistance = 8191;

    // A longer match would need the 32-bit form, which no real stream was seen to use.
    const int MaxMatch = ushort.MaxValue + MinMatch;

    const int HashBits = 14;
    const int FlagsPerWord = 32;

    readonly ReadOnlySpan<byte> _source;
    readonly Span<byte> _destination;
    int _written;
    int _flagsAt;
    int _flagCount;
    uint _flags;
    int _halfByte;

    XpressEncoder(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        _source = source;
        _destination = destination;
        _halfByte = -1;
        _flagsAt = 0;
        _written = sizeof(uint);
    }

    /// <summary>The most bytes that a number of bytes can become: a word of flags for every 32 literals.</summary>
    /// <param name="length">Bytes to encode.</param>
    internal static int MaxLength(int length) => length + (length / 8) + (2 * sizeof(uint));

    /// <summary>Encodes bytes as one stream.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="destination">At least <see cref="MaxLength"/> bytes.</param>
    /// <returns>Bytes written.</returns>
    internal static int Encode(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        var encoder = new XpressEncoder(source, destination);
        encoder.Run();
        return encoder._written;
    }

    void Run()
    {
        Span<int> heads = stackalloc int[1 << HashBits];
        heads.Fill(-1);
        int position = 0;
        while (position < _source.Length)
        {
            int candidate = -1;
            if (_source.Length - position > MinMatch)
            {
                ref int head = ref heads[Hash(_source[position..])];
                candidate = head;
                head = position;
            }

            int length = candidate >= 0 && position - candidate <= MaxDistance ? MatchLength(candidate, position) : 0;
            if (length >= MinMatch)
            {
                WriteMatch(position - candidate, length - MinMatch);
                position += length;
            }
            else
            {
                _destination[_written++] = _source[position++];
                AddFlag(0);
            }
        }

        // The flags after the last token are all ones: a match with no input left ends the stream.
        uint rest = (uint)((1UL << (FlagsPerWord - _flagCount)) - 1);
        uint used = _flagCount == 0 ? 0 : _flags << (FlagsPerWord - _flagCount);
        BinaryPrimitives.WriteUInt32LittleEndian(_destination[_flagsAt..], used | rest);
    }

    static int Hash(ReadOnlySpan<byte> source)
    {
        uint three = BinaryPrimitives.ReadUInt32LittleEndian(source) & 0xFF_FFFF;
        return (int)(unchecked(three * 0x9E37_79B1) >> (32 - HashBits));
    }

    readonly int MatchLength(int candidate, int position)
    {
        ReadOnlySpan<byte> ahead = _source[position..Math.Min(_source.Length, position + MaxMatch)];
        return ahead.CommonPrefixLength(_source[candidate..]);
    }

    void AddFlag(uint flag)
    {
        _flags = (_flags << 1) | flag;
        if (++_flagCount == FlagsPerWord)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(_destination[_flagsAt..], _flags);
            _flagsAt = _written;
            _written += sizeof(uint);
            _flagCount = 0;
            _flags = 0;
        }
    }

    // Length: 3 bits in the token, then a half byte, a byte, and all of it as a u16.
    void WriteMatch(int distance, int length)
    {
        WriteUInt16((uint)((distance - 1) << 3) | (uint)Math.Min(length, 7));
        if (length >= 7)
        {
            WriteHalfByte(Math.Min(length - 7, 15));
        }

        if (length >= 22)
        {
            _destination[_written++] = (byte)Math.Min(length - 22, byte.MaxValue);
        }

        if (length >= 22 + byte.MaxValue)
        {
            WriteUInt16((uint)length);
        }

        AddFlag(1);
    }

    void WriteHalfByte(int value)
    {
        if (_halfByte >= 0)
        {
            _destination[_halfByte] |= (byte)(value << 4);
            _halfByte = -1;
            return;
        }

        _halfByte = _written;
        _destination[_written++] = (byte)value;
    }

    void WriteUInt16(uint value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(_destination[_written..], (ushort)value);
        _written += sizeof(ushort);
    }
}
