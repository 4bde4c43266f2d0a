using System;
using System.Buffers;

namespace TcpDiag.Report.Html;

/// <summary>Writes numbers of 7 bits a byte, the lowest first (LEB128): what the page's script reads.</summary>
sealed class LebWriter
{
    readonly ArrayBufferWriter<byte> _bytes = new();

    /// <summary>What was written.</summary>
    public ReadOnlySpan<byte> Written => _bytes.WrittenSpan;

    /// <summary>Writes a number that is never negative.</summary>
    /// <param name="value">The number; a negative one is written as 0.</param>
    public void Unsigned(long value)
    {
        const int mostBytes = 10;
        Span<byte> target = _bytes.GetSpan(mostBytes);
        ulong rest = (ulong)long.Max(value, 0);
        int length = 0;
        while (rest >= 0x80)
        {
            target[length++] = (byte)(rest | 0x80);
            rest >>= 7;
        }

        target[length++] = (byte)rest;
        _bytes.Advance(length);
    }

    /// <summary>Writes a number with its sign in the lowest bit.</summary>
    /// <param name="value">The number, above −2⁶².</param>
    public void Signed(long value) => Unsigned((value << 1) ^ (value >> 63));
}
