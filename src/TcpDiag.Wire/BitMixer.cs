using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>Spreads bits: a hash for tables, of no use against who chooses the input.</summary>
public static class BitMixer
{
    /// <summary>The finaliser of SplitMix64.</summary>
    /// <param name="value">A number.</param>
    /// <returns>One in which each bit depends on all of its bits.</returns>
    public static ulong Mix(ulong value)
    {
        unchecked
        {
            value = (value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9;
            value = (value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB;
            return value ^ (value >> 31);
        }
    }

    /// <summary>Mixes bytes in.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="hash">What was mixed before.</param>
    /// <returns>The hash of both.</returns>
    public static ulong Mix(ReadOnlySpan<byte> bytes, ulong hash)
    {
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
        {
            hash = Mix(hash ^ BinaryPrimitives.ReadUInt64LittleEndian(bytes));
        }

        ulong rest = 0;
        foreach (byte value in bytes)
        {
            rest = (rest << 8) | value;
        }

        return bytes.IsEmpty ? hash : Mix(hash ^ rest);
    }
}
