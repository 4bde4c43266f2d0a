using System;
using System.IO;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Bench;

/// <summary>The least a reader can do: read a file in pieces by position and add up its 64-bit words.</summary>
static class BareLoop
{
    const int PieceBytes = 1 << 20;

    /// <summary>Adds up a file.</summary>
    /// <param name="path">The file.</param>
    /// <returns>The sum of its words modulo 2⁶⁴.</returns>
    public static ulong Sum(string path)
    {
        using SafeFileHandle file = File.OpenHandle(path);
        byte[] piece = new byte[PieceBytes];
        ulong sum = 0;
        long offset = 0;
        for (int read; (read = RandomAccess.Read(file, piece, offset)) > 0; offset += read)
        {
            sum += SumWords(MemoryMarshal.Cast<byte, ulong>(piece.AsSpan(0, read)));
        }

        return sum;
    }

    static ulong SumWords(ReadOnlySpan<ulong> words)
    {
        ulong sum = 0;
        foreach (ulong word in words)
        {
            sum += word;
        }

        return sum;
    }
}
