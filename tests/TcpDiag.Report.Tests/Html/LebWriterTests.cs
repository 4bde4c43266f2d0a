using TcpDiag.Report.Html;
using Xunit;

namespace TcpDiag.Report.Tests.Html;

public sealed class LebWriterTests
{
    [Theory]
    [InlineData(0, new byte[] { 0 })]
    [InlineData(127, new byte[] { 0x7f })]
    [InlineData(128, new byte[] { 0x80, 1 })]
    [InlineData(300, new byte[] { 0xac, 2 })]
    [InlineData(1L << 40, new byte[] { 0x80, 0x80, 0x80, 0x80, 0x80, 0x20 })]
    [InlineData(-5, new byte[] { 0 })]
    public void Unsigned_SevenBitsAByte(long value, byte[] expected)
    {
        var writer = new LebWriter();
        writer.Unsigned(value);
        Assert.Equal(expected, writer.Written.ToArray());
    }

    [Theory]
    [InlineData(0, new byte[] { 0 })]
    [InlineData(-1, new byte[] { 1 })]
    [InlineData(1, new byte[] { 2 })]
    [InlineData(-64, new byte[] { 0x7f })]
    [InlineData(64, new byte[] { 0x80, 1 })]
    public void Signed_SignInTheLowestBit(long value, byte[] expected)
    {
        var writer = new LebWriter();
        writer.Signed(value);
        Assert.Equal(expected, writer.Written.ToArray());
    }
}
