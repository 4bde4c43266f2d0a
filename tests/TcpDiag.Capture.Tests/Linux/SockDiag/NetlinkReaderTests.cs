using System;
using System.Collections.Generic;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Capture.Linux.SockDiag;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.SockDiag;

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
