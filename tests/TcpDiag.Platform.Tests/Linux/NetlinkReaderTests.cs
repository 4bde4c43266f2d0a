using System;
using System.Collections.Generic;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Platform.Linux;
using Xunit;

namespace TcpDiag.Platform.Tests.Linux;

/// <summary>Messages of a netlink datagram, and attributes of a message, from bytes built by hand.</summary>
public sealed class NetlinkReaderTests
{
    [Fact]
    public void TryRead_TwoMessages_AreAlignedToFourBytes()
    {
        byte[] datagram =
        [
            17, 0, 0, 0, 20, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0xAA, 0, 0, 0, // length 17, padded to 20
            16, 0, 0, 0, 3, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0,
        ];

        Assert.Equal([(20, 7, "AA"), (3, 8, "")], Read(datagram));
    }

    [Theory]
    [InlineData(15)]
    [InlineData(17)]
    [InlineData(255)]
    public void TryRead_LengthThatDoesNotFit_Ends(byte length) =>
        Assert.Empty(Read([length, 0, 0, 0, 3, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]));

    [Fact]
    public void TryRead_AnyBytes_Ends() => Prop.ForAll<byte[]>(bytes => Read(bytes).Count <= bytes.Length / 16).QuickCheckThrowOnFailure();

    [Fact]
    public void Attributes_NestedAndPadded_HaveTypeAndValue()
    {
        byte[] bytes = [5, 0, 2, 0x80, 0xAA, 0, 0, 0, 8, 0, 3, 0, 1, 2, 3, 4]; // type 2, nested, one byte padded to four; type 3
        var attributes = new NetlinkAttributes(bytes);

        Assert.True(attributes.TryRead(out int type, out ReadOnlySpan<byte> value));
        Assert.Equal((2, "AA"), (type, Convert.ToHexString(value)));
        Assert.True(attributes.TryRead(out type, out value));
        Assert.Equal((3, "01020304"), (type, Convert.ToHexString(value)));
        Assert.False(attributes.TryRead(out _, out _));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(9)]
    public void Attributes_LengthThatDoesNotFit_End(byte length) => Assert.False(new NetlinkAttributes([length, 0, 1, 0, 1, 2, 3, 4]).TryRead(out _, out _));

    static List<(int Type, long Sequence, string Payload)> Read(byte[] datagram)
    {
        var found = new List<(int, long, string)>();
        var reader = new NetlinkReader(datagram);
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            found.Add((reader.Type, reader.Sequence, Convert.ToHexString(payload)));
        }

        return found;
    }
}
