using System;
using System.Linq;
using TcpDiag.Traces.Input;
using Xunit;

namespace TcpDiag.Traces.Tests.Input;

public sealed class Crc32Tests
{
    // The check value of CRC-32/ISO-HDLC.
    [Fact]
    public void Append_CheckString_GivesCheckValue() => Assert.Equal(0xCBF4_3926u, Crc32.Append(0, "123456789"u8));

    [Fact]
    public void Append_Nothing_IsZero() => Assert.Equal(0u, Crc32.Append(0, []));

    // Whole words and single bytes take different paths: cut anywhere, the result is that of one bit at a time.
    [Fact]
    public void Append_AnyCut_IsThatOfTheDefinition()
    {
        byte[] bytes = [.. Enumerable.Range(0, 41).Select(i => (byte)(i * 37))];
        uint expected = ByDefinition(bytes);
        Assert.All(Enumerable.Range(0, bytes.Length + 1), cut => Assert.Equal(expected, Crc32.Append(Crc32.Append(0, bytes.AsSpan(0, cut)), bytes.AsSpan(cut))));
    }

    static uint ByDefinition(byte[] bytes)
    {
        uint state = uint.MaxValue;
        foreach (int bit in Enumerable.Range(0, bytes.Length * 8))
        {
            uint next = (state ^ (uint)(bytes[bit / 8] >> (bit % 8))) & 1;
            state = (state >> 1) ^ (next * 0xEDB8_8320);
        }

        return ~state;
    }
}
