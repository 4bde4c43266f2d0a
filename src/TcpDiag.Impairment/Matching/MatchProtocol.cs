namespace TcpDiag.Impairment.Matching;

/// <summary><c>tcp</c>, <c>udp</c> or <c>icmp</c> (which takes ICMPv6 in).</summary>
/// <param name="Protocol">The IP protocol number.</param>
public sealed record MatchProtocol(byte Protocol) : MatchRule
{
    internal const byte Icmp = 1;
    internal const byte Tcp = 6;
    internal const byte Udp = 17;
    const byte IcmpV6 = 58;

    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        packet.Protocol == Protocol || (Protocol == Icmp && packet.Protocol == IcmpV6);
}
