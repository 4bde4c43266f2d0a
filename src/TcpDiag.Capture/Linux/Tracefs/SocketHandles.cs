using System;
using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// Turns kernel addresses of sockets into handles that are meaningless outside one recording: SipHash-2-4
/// (Aumasson and Bernstein, 2012) under a random key, as the kernel's own %p does. A trace that is passed on then does not
/// reveal the kernel's memory layout.
/// </summary>
/// <param name="key0">First half of the key.</param>
/// <param name="key1">Second half of the key.</param>
sealed class SocketHandles(ulong key0, ulong key1)
{
    /// <summary>Handles under a new random key.</summary>
    public static SocketHandles Create()
    {
        Span<byte> key = stackalloc byte[16];
        RandomNumberGenerator.Fill(key);
        return new(BinaryPrimitives.ReadUInt64LittleEndian(key), BinaryPrimitives.ReadUInt64LittleEndian(key[8..]));
    }

    /// <summary>The handle of a socket.</summary>
    /// <param name="address">Its address in the kernel; 0 when the event has none.</param>
    /// <returns>The handle; 0 for 0.</returns>
    public ulong Translate(ulong address)
    {
        if (address == 0)
        {
            return 0;
        }

        ulong v0 = key0 ^ 0x736F6D6570736575;
        ulong v1 = key1 ^ 0x646F72616E646F6D;
        ulong v2 = key0 ^ 0x6C7967656E657261;
        ulong v3 = key1 ^ 0x7465646279746573;
        Absorb(address, ref v0, ref v1, ref v2, ref v3);

        // The last block: no bytes left over, the message's length of 8 in the top byte.
        Absorb(8UL << 56, ref v0, ref v1, ref v2, ref v3);
        v2 ^= 0xFF;
        for (int i = 0; i < 4; i++)
        {
            Round(ref v0, ref v1, ref v2, ref v3);
        }

        return v0 ^ v1 ^ v2 ^ v3;
    }

    static void Absorb(ulong block, ref ulong v0, ref ulong v1, ref ulong v2, ref ulong v3)
    {
        v3 ^= block;
        Round(ref v0, ref v1, ref v2, ref v3);
        Round(ref v0, ref v1, ref v2, ref v3);
        v0 ^= block;
    }

    static void Round(ref ulong v0, ref ulong v1, ref ulong v2, ref ulong v3)
    {
        v0 += v1;
        v1 = BitOperations.RotateLeft(v1, 13) ^ v0;
        v0 = BitOperations.RotateLeft(v0, 32);
        v2 += v3;
        v3 = BitOperations.RotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = BitOperations.RotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = BitOperations.RotateLeft(v1, 17) ^ v2;
        v2 = BitOperations.RotateLeft(v2, 32);
    }
}
