using System;
using System.Text;
using TcpDiag.Traces.Schemas;
using Xunit;

namespace TcpDiag.Traces.Tests.Schemas;

public class PayloadElementsTests
{
    /// <summary>Type, given length, 32/64 bit, bytes, expected data, bytes consumed; bytes in hexadecimal.</summary>
    [Theory]
    [InlineData(InType.UnicodeString, -1, true, "410042000000FF", "41004200", 6)]
    [InlineData(InType.UnicodeString, -1, true, "41004200", "41004200", 4)]
    [InlineData(InType.UnicodeString, 1, true, "41004200", "4100", 2)]
    [InlineData(InType.AnsiString, -1, true, "414200FF", "4142", 3)]
    [InlineData(InType.AnsiString, 3, true, "414200FF", "414200", 3)]
    [InlineData(InType.Int8, -1, true, "FE01", "FE", 1)]
    [InlineData(InType.UInt16, -1, true, "FE01FF", "FE01", 2)]
    [InlineData(InType.Boolean, -1, true, "01000000FF", "01000000", 4)]
    [InlineData(InType.Double, -1, true, "0102030405060708FF", "0102030405060708", 8)]
    [InlineData(InType.Pointer, -1, true, "0102030405060708FF", "0102030405060708", 8)]
    [InlineData(InType.Pointer, -1, false, "0102030405060708FF", "01020304", 4)]
    [InlineData(InType.SizeT, -1, false, "0102030405", "01020304", 4)]
    [InlineData(InType.Binary, 3, true, "0102030405", "010203", 3)]
    [InlineData(InType.Binary, -1, true, "0102030405", "0102030405", 5)]
    [InlineData(InType.Sid, -1, true, "010100000000000512000000FF", "010100000000000512000000", 12)]
    [InlineData(InType.WbemSid, -1, true, "0000000041", "", 4)]
    [InlineData(InType.WbemSid, -1, false, "0100000000000000010100000000000512000000FF", "010100000000000512000000", 20)]
    [InlineData(InType.ManifestCountedString, -1, true, "020041004200", "4100", 4)]
    [InlineData(InType.CountedAnsiString, -1, true, "020041424344", "4142", 4)]
    [InlineData(InType.ReversedCountedString, -1, true, "000241004200", "4100", 4)]
    [InlineData(InType.ReversedCountedAnsiString, -1, true, "00024142FF", "4142", 4)]
    [InlineData(InType.ManifestCountedBinary, -1, true, "0300010203FF", "010203", 5)]
    [InlineData(InType.NonNullTerminatedString, -1, true, "41000000", "41000000", 4)]
    [InlineData(InType.HexDump, -1, true, "020000000102FF", "0102", 6)]
    [InlineData(InType.UnicodeChar, -1, true, "4100FF", "4100", 2)]
    [InlineData(InType.AnsiChar, -1, true, "41FF", "41", 1)]
    public void TryTake_EachType_TakesItsBytes(InType type, int length, bool is64Bit, string bytes, string data, int consumed)
    {
        byte[] payload = Convert.FromHexString(bytes);
        ReadOnlySpan<byte> rest = payload;
        Assert.True(PayloadElements.TryTake(type, length, is64Bit, ref rest, out ReadOnlySpan<byte> taken));
        Assert.Equal(data, Convert.ToHexString(taken));
        Assert.Equal(payload.Length - consumed, rest.Length);
    }

    [Theory]
    [InlineData(InType.UInt32, -1, "010203")]
    [InlineData(InType.Binary, 4, "010203")]
    [InlineData(InType.Binary, int.MaxValue, "010203")]
    [InlineData(InType.UnicodeString, int.MaxValue, "010203")]
    [InlineData(InType.Sid, -1, "01FF000000000005")]
    [InlineData(InType.ManifestCountedString, -1, "FFFF4100")]
    [InlineData(InType.HexDump, -1, "FFFFFFFF41")]
    [InlineData(InType.HexDump, -1, "01")]
    public void TryTake_TooShort_TakesNothing(InType type, int length, string bytes)
    {
        ReadOnlySpan<byte> rest = Convert.FromHexString(bytes);
        int before = rest.Length;
        Assert.False(PayloadElements.TryTake(type, length, is64Bit: true, ref rest, out ReadOnlySpan<byte> taken));
        Assert.Equal(before, rest.Length);
        Assert.True(taken.IsEmpty);
    }

    /// <summary>Type, how to show, bytes, text.</summary>
    [Theory]
    [InlineData(InType.Int32, OutType.Default, "FEFFFFFF", "-2")]
    [InlineData(InType.UInt64, OutType.Default, "FFFFFFFFFFFFFFFF", "18446744073709551615")]
    [InlineData(InType.UInt16, OutType.Port, "01BB", "443")]
    [InlineData(InType.UInt32, OutType.Ipv4, "0A000001", "10.0.0.1")]
    [InlineData(InType.Binary, OutType.IpAddress, "20010DB8000000000000000000000001", "2001:db8::1")]
    [InlineData(InType.Binary, OutType.SocketAddress, "020001BB0A0000010000000000000000", "10.0.0.1:443")]
    [InlineData(InType.Binary, OutType.SocketAddress, "170001BB0000000020010DB800000000000000000000000100000000", "[2001:db8::1]:443")]
    [InlineData(InType.Binary, OutType.Mac, "001122AABBCC", "00:11:22:aa:bb:cc")]
    [InlineData(InType.Binary, OutType.Default, "00FF", "00ff")]
    [InlineData(InType.UInt32, OutType.ErrorCode, "0D0000C0", "0xc000000d")]
    [InlineData(InType.UInt32, OutType.ErrorCode, "00000000", "0")]
    [InlineData(InType.Boolean, OutType.Default, "01000000", "true")]
    [InlineData(InType.Pointer, OutType.Default, "0102030405060708", "0x807060504030201")]
    [InlineData(InType.HexInt32, OutType.Default, "FF000000", "0xff")]
    [InlineData(InType.Float, OutType.Default, "0000C03F", "1.5")]
    [InlineData(InType.Double, OutType.Default, "000000000000F83F", "1.5")]
    [InlineData(InType.Guid, OutType.Default, "EE072F2FDB15F14090EF9D7BA282188A", "2f2f07ee-15db-40f1-90ef-9d7ba282188a")]
    [InlineData(InType.FileTime, OutType.Default, "00803ED5DEB19D01", "1970-01-01T00:00:00.000000000Z")]
    [InlineData(InType.SystemTime, OutType.Default, "EA070B0006001500090008000700 0600", "2026-11-21T09:08:07.006")]
    [InlineData(InType.Sid, OutType.Default, "010100000000000512000000", "S-1-5-18")]
    public void Append_EachType_GivesItsText(InType type, OutType outType, string bytes, string expected)
    {
        var text = new StringBuilder();
        ValueText.Append(
            text, new FieldSchema("x", type) { OutType = outType }, Convert.FromHexString(bytes.Replace(" ", string.Empty, StringComparison.Ordinal)));
        Assert.Equal(expected, text.ToString());
    }
}
