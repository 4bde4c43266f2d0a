using System.Collections.Generic;
using System.Linq;
using System.Numerics;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Traces.Redaction;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Redaction;

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
