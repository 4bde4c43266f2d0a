using System.Collections.Generic;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace TcpDiag.Wire.Tests;

public sealed class FlowKeyTests
{
    [Fact]
    public void Of_BothDirections_GiveTheSameKeyAndOppositeSides() => Prop.ForAll<ulong, ulong, uint>((a, b, ports) =>
    {
        (ushort p, ushort q) = ((ushort)(ports >> 16), (ushort)ports);
        var one = new Endpoint(new IpAddress(a, b), p);
        var other = new Endpoint(new IpAddress(b, a), q);
        FlowKey forth = FlowKey.Of(one, other, out bool isForthFromHigh);
        FlowKey back = FlowKey.Of(other, one, out bool isBackFromHigh);
        return forth == back && (one == other || isForthFromHigh != isBackFromHigh)
            && (isForthFromHigh ? forth.High : forth.Low) == one;
    }).QuickCheckThrowOnFailure();

    // All packets between endpoints of which each part has one of two values.
    [Fact]
    public void Is_AnyPacket_TellsWhatItsOwnKeyTells()
    {
        const uint packets = 1 << 6;
        for (uint pair = 0; pair < packets * packets; pair++)
        {
            ParsedPacket packet = PacketOf(pair / packets);
            FlowKey known = FlowKey.Of(PacketOf(pair % packets), out _);
            FlowKey own = FlowKey.Of(packet, out bool isFromHigh);
            bool isIt = known.Is(packet, out bool isFoundFromHigh);
            Assert.Equal(own == known, isIt);
            Assert.True(!isIt || isFoundFromHigh == isFromHigh);
        }
    }

    [Fact]
    public void Hash_AnotherSeed_IsAnotherHash()
    {
        FlowKey key = KeyOf(1);
        Assert.NotEqual(key.Hash(1), key.Hash(2));
    }

    // 65,536 keys in 65,536 slots: a random hash fills 1 − 1/e = 63.2 % of them; the spread of that number is far below 1 %.
    [Fact]
    public void Hash_NeighbouringKeys_SpreadLikeRandomOnes()
    {
        var slots = new HashSet<int>();
        for (uint i = 0; i < 65536; i++)
        {
            slots.Add((int)KeyOf(i).Hash(42) & 0xFFFF);
        }

        Assert.InRange(slots.Count, 40_700, 42_100);
    }

    // Each bit is a part of an endpoint that is one of two.
    static ParsedPacket PacketOf(uint bits) => new()
    {
        Source = new(bits & 1, (bits >> 1) & 1),
        Destination = new((bits >> 2) & 1, (bits >> 3) & 1),
        SourcePort = (ushort)((bits >> 4) & 1),
        DestinationPort = (ushort)((bits >> 5) & 1),
    };

    static FlowKey KeyOf(uint i) => FlowKey.Of(
        new Endpoint(IpAddress.FromIpv4(0x0A000000 + (i >> 8)), (ushort)(1024 + (i & 0xFF))),
        new Endpoint(IpAddress.FromIpv4(0xC0A80001), 443),
        out _);
}
