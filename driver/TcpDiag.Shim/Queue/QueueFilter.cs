using System;
using System.Collections.Generic;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// Translates a match into alternatives of tests the kernel can make, so that other packets never leave it. The translation may take in more than the match (a
/// negation or a process says nothing here), never less: what arrives is matched again in full. More than 64 alternatives become one that takes everything.
/// </summary>
static class QueueFilter
{
    const int MaxAlternatives = 64;
    const ushort FamilyIpv4 = 2;
    const ushort FamilyIpv6 = 10;

    static readonly PacketTest[][] Everything = [[]];

    /// <summary>The alternatives: a packet is taken when all tests of at least one hold.</summary>
    public static IReadOnlyList<PacketTest[]> Translate(MatchRule rule)
    {
        IReadOnlyList<PacketTest[]> alternatives = Expand(rule);
        return alternatives.Count <= MaxAlternatives ? alternatives : Everything;
    }

    static IReadOnlyList<PacketTest[]> Expand(MatchRule rule) => rule switch
    {
        MatchAnd and => Cross(Translate(and.Left), Translate(and.Right)),
        MatchOr or => [.. Translate(or.Left), .. Translate(or.Right)],
        MatchProtocol { Protocol: IpProtocol.Icmp } =>
            [[Value(PacketField.Protocol, (byte)IpProtocol.Icmp)], [Value(PacketField.Protocol, (byte)IpProtocol.IcmpV6)]],
        MatchProtocol protocol => [[Value(PacketField.Protocol, (byte)protocol.Protocol)]],
        MatchFamily family => [[Value(PacketField.Family, family.IsIpv4 ? FamilyIpv4 : FamilyIpv6)]],
        MatchDirection direction => [[Value(PacketField.Direction, direction.IsOut ? PacketTest.Out : PacketTest.In)]],
        MatchPort port => Sides(port.Side, PacketField.SourcePort, PacketField.DestinationPort, field => new PacketTest(field, port.First, port.Last)),
        MatchHost host => Sides(
            host.Side, PacketField.SourceAddress, PacketField.DestinationAddress, field => new PacketTest(field, 0, 0, host.Address, host.PrefixBits)),
        _ => Everything,
    };

    static PacketTest Value(PacketField field, ushort value) => new(field, value, value);

    static PacketTest[][] Sides(MatchSide side, PacketField source, PacketField destination, Func<PacketField, PacketTest> test) => side switch
    {
        MatchSide.Source => [[test(source)]],
        MatchSide.Destination => [[test(destination)]],
        _ => [[test(source)], [test(destination)]],
    };

    static List<PacketTest[]> Cross(IReadOnlyList<PacketTest[]> left, IReadOnlyList<PacketTest[]> right)
    {
        List<PacketTest[]> both = [];
        foreach (PacketTest[] one in left)
        {
            foreach (PacketTest[] other in right)
            {
                both.Add([.. one, .. other]);
            }
        }

        return both;
    }
}

/// <summary>One test the kernel can make on a packet: that some bytes, masked, lie in a range.</summary>
/// <param name="Field">Which bytes.</param>
/// <param name="First">The lowest value, or the address.</param>
/// <param name="Last">The highest value.</param>
/// <param name="Address">The address, for address fields.</param>
/// <param name="PrefixBits">Leading bits of the address that count.</param>
readonly record struct PacketTest(PacketField Field, uint First = 0, uint Last = 0, IpAddress Address = default, int PrefixBits = 0)
{
    /// <summary>The value of <see cref="PacketField.Direction"/> for packets that arrive.</summary>
    public const ushort In = 0;

    /// <summary>The value of <see cref="PacketField.Direction"/> for packets that leave.</summary>
    public const ushort Out = 1;
}

/// <summary>What a <see cref="PacketTest"/> looks at.</summary>
enum PacketField
{
    /// <summary>The protocol behind the IP header.</summary>
    Protocol,

    /// <summary>The family: 2 for IPv4, 10 for IPv6.</summary>
    Family,

    /// <summary>Which way it goes; what the chain of a rule says, so that the kernel tests nothing (<see cref="IQueueHooks"/>).</summary>
    Direction,

    /// <summary>The number of the interface it came from.</summary>
    InDevice,

    /// <summary>That it did not come from the interface of this number.</summary>
    NotInDevice,

    /// <summary>The number of the interface it goes to.</summary>
    OutDevice,

    SourcePort,

    DestinationPort,

    SourceAddress,

    DestinationAddress,
}
