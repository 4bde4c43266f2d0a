using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Walks over an event's payload field by field: packed, little-endian (docs/formats/etl.md, "Payload decoding"). A read
/// beyond the end gives false and leaves the position, so a short payload never throws.
/// </summary>
ref struct PayloadCursor(ReadOnlySpan<byte> payload)
{
    /// <summary>What has not been read yet.</summary>
    public ReadOnlySpan<byte> Rest { get; private set; } = payload;

    /// <summary>Reads 16 bits.</summary>
    public bool TryReadUInt16(out ushort value)
    {
        bool read = BinaryPrimitives.TryReadUInt16LittleEndian(Rest, out value);
        Rest = read ? Rest[sizeof(ushort)..] : Rest;
        return read;
    }

    /// <summary>Reads 32 bits.</summary>
    public bool TryReadUInt32(out uint value)
    {
        bool read = BinaryPrimitives.TryReadUInt32LittleEndian(Rest, out value);
        Rest = read ? Rest[sizeof(uint)..] : Rest;
        return read;
    }

    /// <summary>Reads 64 bits.</summary>
    public bool TryReadUInt64(out ulong value)
    {
        bool read = BinaryPrimitives.TryReadUInt64LittleEndian(Rest, out value);
        Rest = read ? Rest[sizeof(ulong)..] : Rest;
        return read;
    }

    /// <summary>Reads a field of pointer size.</summary>
    public bool TryReadPointer(in EtlRecord record, out ulong value)
    {
        if (record.Is64Bit)
        {
            return TryReadUInt64(out value);
        }

        bool read = TryReadUInt32(out uint half);
        value = half;
        return read;
    }

    /// <summary>Takes bytes whose number another field gave.</summary>
    public bool TryReadBytes(uint count, out ReadOnlySpan<byte> bytes)
    {
        bool fits = count <= (uint)Rest.Length;
        bytes = fits ? Rest[..(int)count] : default;
        Rest = fits ? Rest[(int)count..] : Rest;
        return fits;
    }

    /// <summary>Takes UTF-16 text up to its NUL; text may also end with the payload.</summary>
    public bool TryReadText(out ReadOnlySpan<char> text)
    {
        text = default;
        if (Rest.Length < sizeof(char))
        {
            return false;
        }

        ReadOnlySpan<char> units = MemoryMarshal.Cast<byte, char>(Rest);
        int end = units.IndexOf('\0');
        text = end < 0 ? units : units[..end];
        int taken = end < 0 ? units.Length : end + 1;
        Rest = Rest[(taken * sizeof(char))..];
        return true;
    }
}
