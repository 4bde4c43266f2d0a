namespace TcpDiag.Wire.Matching;

/// <summary><c>tcp</c>, <c>udp</c> or <c>icmp</c> (which takes ICMPv6 in).</summary>
/// <param name="Protocol">The protocol.</param>
public sealed record MatchProtocol(IpProtocol Protocol) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        packet.Protocol == Protocol || (Protocol == IpProtocol.Icmp && packet.Protocol == IpProtocol.IcmpV6);

    /// <inheritdoc/>
    public override string ToString() => Protocol switch
    {
        IpProtocol.Tcp => "tcp",
        IpProtocol.Udp => "udp",
        _ => "icmp",
    };
}
