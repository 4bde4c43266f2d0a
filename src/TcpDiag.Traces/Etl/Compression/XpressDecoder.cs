using System;
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace TcpDiag.Traces.Etl.Compression;

/// <summary>
/// Decodes XPRESS "plain LZ77" ([MS-XCA] 2.4; docs/formats/etl.md, "Compressed buffers"): 32 flags at a time, most significant first,
/// 0 for a literal byte and 1 for a match of 3 or more bytes up to 8192 back. Runs of literals and matches are
/// copied 16 bytes at a time, which writes past their end but never past the destination; close to the end of either span bytes are
/// copied one by one. Nothing is read or written outside the spans, whatever the input.
/// </summary>
ref struct XpressDecoder
{
    const int Chunk = 16;
    const int MinMatch = 3;

    // The flags are in the upper half; the bit below them marks their end, so that an empty set is this bit alone at the top.
    const ulong EndOfFlags = 1UL << 63;

    readonly ReadOnlySpan<byte> _source;
    readonly Span<byte> _destination;
    int _read;
    int _written;
    int _halfByte;

    XpressDecoder(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        _source = source;
        _destination = destination;
        _halfByte = -1;
    }

    /// <summary>Decodes a stream.</summary>
    /// <param name="source">The compressed bytes; a prefix of a stream gives a prefix of the result.</param>
    /// <param name="destination">Filled from its start; bytes after the result may be overwritten too.</param>
    /// <returns>Bytes decoded: fewer than asked for where the stream ends or is damaged.</returns>
    internal static int Decode(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        var decoder = new XpressDecoder(source, destination);
        decoder.Run();
        return decoder._written;
    }

    // Compiled in full at once: see EtlEventTable.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    void Run()
    {
        ulong flags = EndOfFlags;
        while (_written < _destination.Length)
        {
            int literals = BitOperations.LeadingZeroCount(flags);
            flags <<= literals;
            if (literals != 0 && !CopyLiterals(literals))
            {
                return;
            }

            if (flags == EndOfFlags)
            {
                if (_source.Length - _read < sizeof(uint))
                {
                    return;
                }

                flags = ((ulong)BinaryPrimitives.ReadUInt32LittleEndian(_source[_read..]) << 32) | (1UL << 31);
                _read += sizeof(uint);
                continue;
            }

            flags <<= 1;
            if (!CopyMatch())
            {
                return;
            }
        }
    }

    // Copies up to 32 literals; false at the end of either span.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool CopyLiterals(int count)
    {
        if (_source.Length - _read < 2 * Chunk || _destination.Length - _written < 2 * Chunk)
        {
            return CopyLastLiterals(count);
        }

        ref byte from = ref Unsafe.Add(ref MemoryMarshal.GetReference(_source), _read);
        ref byte to = ref Unsafe.Add(ref MemoryMarshal.GetReference(_destination), _written);
        Vector128.LoadUnsafe(ref from).StoreUnsafe(ref to);
        if (count > Chunk)
        {
            Vector128.LoadUnsafe(ref from, Chunk).StoreUnsafe(ref to, Chunk);
        }

        _read += count;
        _written += count;
        return true;
    }

    bool CopyLastLiterals(int count)
    {
        int fit = Math.Min(count, Math.Min(_source.Length - _read, _destination.Length - _written));
        _source.Slice(_read, fit).CopyTo(_destination[_written..]);
        _read += fit;
        _written += fit;
        return fit == count;
    }

    // False at the end of the stream, and where the match points before the beginning.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool CopyMatch()
    {
        if (_source.Length - _read < sizeof(ushort))
        {
            return false;
        }

        uint token = BinaryPrimitives.ReadUInt16LittleEndian(_source[_read..]);
        _read += sizeof(ushort);
        int distance = (int)(token >> 3) + 1;
        int length = (int)(token & 7);
        if (distance > _written || (length == 7 && !TryReadLongLength(ref length)))
        {
            return false;
        }

        length += MinMatch;
        if (length <= Chunk && distance >= Chunk && _destination.Length - _written >= Chunk)
        {
            ref byte to = ref Unsafe.Add(ref MemoryMarshal.GetReference(_destination), _written);
            Vector128.LoadUnsafe(ref Unsafe.Subtract(ref to, distance)).StoreUnsafe(ref to);
            _written += length;
            return true;
        }

        CopyLongMatch(distance, Math.Min(length, _destination.Length - _written));
        return true;
    }

    // A match longer than its distance repeats what it has just written.
    void CopyLongMatch(int distance, int length)
    {
        Span<byte> to = _destination.Slice(_written, length);
        ReadOnlySpan<byte> from = _destination[(_written - distance)..];
        _written += length;
        if (distance == 1)
        {
            to.Fill(from[0]);
            return;
        }

        int copied = 0;
        while (copied < length)
        {
            // What follows the match source grows by what was copied, in whole periods.
            int step = Math.Min(distance + copied, length - copied);
            from[..step].CopyTo(to[copied..]);
            copied += step;
        }
    }

    // Lengths from 7 on continue in a half byte, a byte, a u16 and a u32.
    bool TryReadLongLength(ref int length)
    {
        if (_halfByte >= 0)
        {
            length = _source[_halfByte] >> 4;
            _halfByte = -1;
        }
        else if (_read < _source.Length)
        {
            length = _source[_read] & 15;
            _halfByte = _read++;
        }
        else
        {
            return false;
        }

        if (length == 15 && !TryReadLongerLength(ref length))
        {
            return false;
        }

        length += 7;
        return true;
    }

    bool TryReadLongerLength(ref int length)
    {
        if (_read == _source.Length)
        {
            return false;
        }

        length = _source[_read++];
        if (length == byte.MaxValue)
        {
            if (_source.Length - _read < sizeof(ushort))
            {
                return false;
            }

            uint full = BinaryPrimitives.ReadUInt16LittleEndian(_source[_read..]);
            _read += sizeof(ushort);
            if (full == 0 && !TryReadUInt32(out full))
            {
                return false;
            }

            // The full length includes the 22 that half byte and byte stand for.
            length = full is < 22 or > int.MaxValue - 64 ? -1 : (int)full - 22;
            if (length < 0)
            {
                return false;
            }
        }

        length += 15;
        return true;
    }

    bool TryReadUInt32(out uint value)
    {
        if (_source.Length - _read < sizeof(uint))
        {
            value = 0;
            return false;
        }

        value = BinaryPrimitives.ReadUInt32LittleEndian(_source[_read..]);
        _read += sizeof(uint);
        return true;
    }
}
