using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Input;

/// <summary>
/// The checksum of zip, gzip and Ethernet: CRC-32 with the reversed polynomial EDB88320 (ISO 3309; RFC 1952 §8), eight bytes at a
/// time by Kounavis' and Berry's slicing.
/// </summary>
static class Crc32
{
    const uint Polynomial = 0xEDB8_8320;
    const int Slices = 8;
    const int TableLength = 256;

    static readonly uint[] Table = BuildTable();

    /// <summary>Takes further bytes into a checksum.</summary>
    /// <param name="crc">The checksum of what came before; 0 at the start.</param>
    /// <param name="bytes">The bytes.</param>
    public static uint Append(uint crc, ReadOnlySpan<byte> bytes)
    {
        uint state = ~crc;
        for (; bytes.Length >= Slices; bytes = bytes[Slices..])
        {
            uint low = BinaryPrimitives.ReadUInt32LittleEndian(bytes) ^ state;
            uint high = BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]);
            state = At(7, low) ^ At(6, low >> 8) ^ At(5, low >> 16) ^ At(4, low >> 24)
                ^ At(3, high) ^ At(2, high >> 8) ^ At(1, high >> 16) ^ At(0, high >> 24);
        }

        foreach (byte next in bytes)
        {
            state = (state >> 8) ^ At(0, state ^ next);
        }

        return ~state;
    }

    static uint At(int slice, uint value) => Table[(slice * TableLength) + (byte)value];

    // Slice k holds what a byte does to the checksum k bytes later.
    static uint[] BuildTable()
    {
        uint[] table = new uint[Slices * TableLength];
        for (uint value = 0; value < TableLength; value++)
        {
            uint state = value;
            for (int bit = 0; bit < 8; bit++)
            {
                state = (state >> 1) ^ ((state & 1) * Polynomial);
            }

            table[value] = state;
        }

        for (int i = TableLength; i < table.Length; i++)
        {
            uint before = table[i - TableLength];
            table[i] = (before >> 8) ^ table[(byte)before];
        }

        return table;
    }
}
