using System;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Traces.Etl.Compression;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

public class XpressTests
{
    [Fact]
    public void Decode_LiteralsAndMatch_CopiesBoth()
    {
        // Flags 0001 and ones: a b c, then 3 + 3 = 6 bytes from 3 back: token (3 − 1) << 3 | 3 = 0x13.
        byte[] stream = [0xFF, 0xFF, 0xFF, 0x1F, (byte)'a', (byte)'b', (byte)'c', 0x13, 0x00];
        Assert.Equal("abcabcabc", Decode(stream, 9));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(9)]
    [InlineData(10)]
    [InlineData(24)]
    [InlineData(25)]
    [InlineData(279)]
    [InlineData(280)]
    [InlineData(65_538)]
    [InlineData(65_539)]
    [InlineData(200_000)]
    public void RoundTrip_OneByteRepeated_GivesTheLength(int matchLength)
    {
        // Around each border between the forms of a length, and beyond the longest match.
        byte[] source = [.. Enumerable.Repeat((byte)'x', matchLength + 1)];
        Assert.Equal(new string('x', matchLength + 1), Decode(Encode(source), matchLength + 1));
    }

    [Fact]
    public void Decode_EveryLengthForm_GivesTheLength()
    {
        // x, then matches from 1 back (token low bits 7). L = length − 3.
        // L = 7: half byte 0 (new byte 0x_0). L = 22: half byte 15 of the same byte, byte 0. So the shared byte is 0xF0.
        // L = 277: new half byte 15, byte 255, u16 277. L = 300: half byte 15 of that one, byte 255, u16 0, u32 300.
        byte[] stream =
        [
            0xFF, 0xFF, 0xFF, 0x7F, (byte)'x',
            0x07, 0x00, 0xF0,
            0x07, 0x00, 0x00,
            0x07, 0x00, 0xFF, 0xFF, 0x15, 0x01,
            0x07, 0x00, 0xFF, 0x00, 0x00, 0x2C, 0x01, 0x00, 0x00,
        ];
        const int Length = 1 + 10 + 25 + 280 + 303;
        Assert.Equal(new string('x', Length), Decode(stream, Length + 100));
    }

    [Fact]
    public void Encode_RepeatedText_GivesTheBytesOfTheFormat()
    {
        // Three literals, one match of 6 from 3 back, 28 flags of padding: 0001 1111 …
        byte[] expected = [0xFF, 0xFF, 0xFF, 0x1F, (byte)'a', (byte)'b', (byte)'c', 0x13, 0x00];
        Assert.Equal(expected, Encode("abcabcabc"u8.ToArray()));
    }

    [Fact]
    public void Encode_ThirtyTwoLiterals_EndsWithAWordOfOnes()
    {
        byte[] source = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
        byte[] expected = [0, 0, 0, 0, .. source, 0xFF, 0xFF, 0xFF, 0xFF];
        Assert.Equal(expected, Encode(source));
    }

    [Fact]
    public void Decode_MatchBeforeTheBeginning_StopsThere()
    {
        // One literal, then a match from 2 back.
        byte[] stream = [0xFF, 0xFF, 0xFF, 0x7F, (byte)'a', 0x08, 0x00];
        Assert.Equal("a", Decode(stream, 10));
    }

    [Fact]
    public void RoundTrip_AnyBytes_GivesThemBack() =>
        Prop.ForAll(Arb.From(Repetitive()), bytes =>
            Encode(bytes) is var stream && bytes.SequenceEqual(DecodeBytes(stream, bytes.Length)))
            .QuickCheckThrowOnFailure();

    [Fact]
    public void Decode_PrefixOfAStream_GivesAPrefixOfTheBytes() =>
        Prop.ForAll(Arb.From(Repetitive()), Arb.From(Gen.Choose(0, 200)), (bytes, length) =>
        {
            byte[] stream = Encode(bytes);
            byte[] decoded = DecodeBytes(stream[..Math.Min(stream.Length, length)], bytes.Length);
            return bytes.AsSpan().StartsWith(decoded);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Decode_AnyBytes_StaysInsideTheDestination() =>
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), Arb.From(Gen.Choose(0, 500)), (stream, length) =>
        {
            var memory = new byte[length + 64];
            memory.AsSpan(length).Fill(0xA5);
            int decoded = XpressDecoder.Decode(stream, memory.AsSpan(0, length));
            return decoded >= 0 && decoded <= length && !memory.AsSpan(length).ContainsAnyExcept((byte)0xA5);
        }).QuickCheckThrowOnFailure();

    // Pieces of noise, of one byte, and of what came before: short and long matches near and far.
    static Gen<byte[]> Repetitive() => Gen.Choose(0, int.MaxValue).Select(seed =>
    {
        var random = new Random(seed);
        var bytes = new byte[random.Next(20_000)];
        for (int i = 0; i < bytes.Length;)
        {
            int count = Math.Min(bytes.Length - i, 1 + random.Next(random.Next(4) == 0 ? 3000 : 40));
            int kind = random.Next(3);
            byte fill = (byte)random.Next(256);
            int distance = 1 + random.Next(Math.Max(1, i));
            for (int end = i + count; i < end; i++)
            {
                bytes[i] = kind == 0 ? (byte)random.Next(256) : kind == 1 || i < distance ? fill : bytes[i - distance];
            }
        }

        return bytes;
    });

    static byte[] Encode(byte[] source)
    {
        var stream = new byte[XpressEncoder.MaxLength(source.Length)];
        return stream[..XpressEncoder.Encode(source, stream)];
    }

    static string Decode(byte[] stream, int length) => string.Concat(DecodeBytes(stream, length).Select(value => (char)value));

    static byte[] DecodeBytes(byte[] stream, int length)
    {
        var bytes = new byte[length];
        return bytes[..XpressDecoder.Decode(stream, bytes)];
    }
}
