using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Redaction.Tests;

public sealed class AddressMapTests
{
    [Theory]
    [InlineData("0.0.0.0")]
    [InlineData("127.0.0.1")]
    [InlineData("224.0.0.251")]
    [InlineData("232.1.2.3")]
    [InlineData("239.255.255.250")]
    [InlineData("255.255.255.255")]
    [InlineData("::")]
    [InlineData("::1")]
    [InlineData("ff02::fb")]
    public void Map_AddressOfNobody_Stays(string text)
    {
        using var map = new AddressMap(TestKeys.First);
        Assert.Equal(Read(text), map.Map(Read(text)));
    }

    [Theory]
    [InlineData("10.1.2.3", "10.")]
    [InlineData("192.168.7.9", "192.168.")]
    [InlineData("169.254.10.20", "169.254.")]
    [InlineData("233.1.2.3", "233.")]
    [InlineData("234.5.6.7", "234.")]
    [InlineData("fe80::1234:5678:9abc:def0", "fe80::")]
    [InlineData("fd12:3456::1", "fd")]
    [InlineData("ff02::1:ff9a:bcde", "ff02::1:ff")]
    public void Map_AddressOfABlock_StaysInIt(string text, string block)
    {
        using var map = new AddressMap(TestKeys.First);
        IpAddress mapped = map.Map(Read(text));
        Assert.NotEqual(Read(text), mapped);
        Assert.StartsWith(block, mapped.ToString(), System.StringComparison.Ordinal);
    }

    [Fact]
    public void Map_AnyIpv4Address_KeepsItsClassAndItsPrefixesInIt()
    {
        using var map = new AddressMap(TestKeys.First);
        Prop.ForAll(ArbMap.Default.ArbFor<uint>(), ArbMap.Default.ArbFor<byte>(), (first, bit) =>
        {
            IpAddress one = IpAddress.FromIpv4(first);
            IpAddress other = IpAddress.FromIpv4(first ^ (1u << (bit % 16)));
            Assert.Equal(AddressClass.Of(one), AddressClass.Of(map.Map(one)));
            if (AddressClass.Of(one) == AddressClass.Of(other) && AddressClass.Of(one).Number != 0 && !AddressClass.Of(one).IsKept)
            {
                Assert.Equal(BitOperations.LeadingZeroCount(one.Low ^ other.Low), BitOperations.LeadingZeroCount(map.Map(one).Low ^ map.Map(other).Low));
            }
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void Map_AnyIpv6Address_KeepsItsClass()
    {
        using var map = new AddressMap(TestKeys.First);
        Prop.ForAll(ArbMap.Default.ArbFor<ulong>(), ArbMap.Default.ArbFor<ulong>(), (high, low) =>
            Assert.Equal(AddressClass.Of(new(high, low)), AddressClass.Of(map.Map(new(high, low))))).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void Map_SixteenBitsOfANetwork_AreMappedOneToOne()
    {
        using var map = new AddressMap(TestKeys.First);
        HashSet<IpAddress> images = [.. Enumerable.Range(0, 1 << 16).Select(host => map.Map(IpAddress.FromIpv4(0xC0A8_0000 + (uint)host)))];
        Assert.Equal(1 << 16, images.Count);
    }

    [Fact]
    public void Map_Ports_ArePermutedWithinTheirRange()
    {
        var map = new PortMap(TestKeys.First);
        Assert.Equal(1 << 16, Enumerable.Range(0, 1 << 16).Select(port => map.Map((ushort)port)).Distinct().Count());
        Assert.All(Enumerable.Range(0, 1024), port => Assert.InRange(map.Map((ushort)port), 0, 1023));
        Assert.All(new ushort[] { 0, 53, 137, 5353, 5355 }, port => Assert.Equal(port, map.Map(port)));
        Assert.NotEqual(443, map.Map(443));
    }

    static IpAddress Read(string text) => IpAddress.TryParse(text, out IpAddress address) ? address : throw new System.FormatException(text);
}

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
