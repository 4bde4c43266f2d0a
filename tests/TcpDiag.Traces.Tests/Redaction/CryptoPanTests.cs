using System;
using System.Buffers.Binary;
using System.Net;
using System.Numerics;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Traces.Redaction;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Redaction;

public sealed class CryptoPanTests
{
    // The key of the sample that comes with the authors' implementation.
    static readonly byte[] Key =
        [21, 34, 23, 141, 51, 164, 207, 128, 19, 10, 91, 22, 73, 144, 125, 16, 216, 152, 143, 131, 121, 121, 101, 39, 98, 87, 76, 45, 42, 132, 34, 2];

    // IPv4: that sample's addresses. IPv6: as the implementations that followed agree.
    [Theory]
    [InlineData("128.11.68.132", "135.242.180.132")]
    [InlineData("129.118.74.4", "134.136.186.123")]
    [InlineData("130.132.252.244", "133.68.164.234")]
    [InlineData("141.223.7.43", "141.167.8.160")]
    [InlineData("152.163.225.39", "151.140.114.167")]
    [InlineData("192.102.249.13", "252.138.62.131")]
    [InlineData("198.51.77.238", "249.18.186.254")]
    [InlineData("24.0.250.221", "100.15.198.226")]
    [InlineData("4.3.88.225", "124.60.155.63")]
    [InlineData("64.39.15.238", "0.219.7.41")]
    [InlineData("10.185.25.118", "117.161.29.118")]
    [InlineData("::1", "78ff:f001:9fc0:20df:8380:b1f1:704:ed")]
    [InlineData("::2", "78ff:f001:9fc0:20df:8380:b1f1:704:ef")]
    [InlineData("::ffff", "78ff:f001:9fc0:20df:8380:b1f1:704:f838")]
    [InlineData("2001:db8::1", "4401:2bc:603f:d91d:27f:ff8e:e6f1:dc1e")]
    [InlineData("2001:db8::2", "4401:2bc:603f:d91d:27f:ff8e:e6f1:dc1c")]
    public void Map_PublishedAddress_GivesPublishedOne(string address, string expected)
    {
        using var map = new CryptoPan(Key);
        Assert.Equal(Read(expected), map.Map(Read(address)));
    }

    [Fact]
    public void Map_TwoAddresses_HaveTheSamePrefixInCommonAsBefore()
    {
        using var map = new CryptoPan(Key);
        Prop.ForAll(ArbMap.Default.ArbFor<uint>(), ArbMap.Default.ArbFor<byte>(), (first, bit) =>
        {
            // Same bits down to one of 32, then another one.
            uint second = first ^ (0x8000_0000 >> (bit % 32));
            Assert.Equal(CommonBits(first, second), CommonBits(Number(map.Map(IpAddress.FromIpv4(first))), Number(map.Map(IpAddress.FromIpv4(second)))));
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void Map_AnotherKey_GivesAnotherAddress()
    {
        using var map = new CryptoPan(Key);
        using var other = new CryptoPan([.. Key[16..], .. Key[..16]]);
        Assert.NotEqual(map.Map(Read("192.0.2.1")), other.Map(Read("192.0.2.1")));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(31)]
    [InlineData(33)]
    public void Constructor_KeyOfAnotherLength_IsRefused(int length) => Assert.Throws<ArgumentException>(() => new CryptoPan(new byte[length]).Dispose());

    static IpAddress Read(string text) => IpAddress.Read(IPAddress.Parse(text).GetAddressBytes());

    static int CommonBits(uint first, uint second) => BitOperations.LeadingZeroCount(first ^ second);

    static uint Number(IpAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        address.Write(bytes);
        return BinaryPrimitives.ReadUInt32BigEndian(bytes);
    }
}
