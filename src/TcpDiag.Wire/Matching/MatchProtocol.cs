using System;
using System.Globalization;

namespace TcpDiag.Wire.Matching;

/// <summary><c>tcp</c>, <c>udp</c> or <c>icmp</c> (which includes ICMPv6).</summary>
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

/// <summary><c>ip4</c> or <c>ip6</c>.</summary>
/// <param name="IsIpv4">Whether IPv4 is selected.</param>
public sealed record MatchFamily(bool IsIpv4) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => packet.Source.Address.IsIpv4 == IsIpv4;

    /// <inheritdoc/>
    public override string ToString() => IsIpv4 ? "ip4" : "ip6";
}

/// <summary><c>out</c> or <c>in</c>.</summary>
/// <param name="IsOut">Whether packets that leave are selected.</param>
public sealed record MatchDirection(bool IsOut) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => packet.IsOut == IsOut;

    /// <inheritdoc/>
    public override string ToString() => IsOut ? "out" : "in";
}

/// <summary><c>process 1234</c> or <c>process curl</c>: the process on this host. Attribution by the operating system may be missing or late.</summary>
/// <param name="Id">The process id; 0 goes by the name.</param>
/// <param name="Name">The name without path or <c>.exe</c>, compared without regard to case; empty goes by the id.</param>
public sealed record MatchProcess(int Id, string Name) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => false;

    /// <inheritdoc/>
    public override bool NamesProcess => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        Id != 0 ? packet.ProcessId == Id : string.Equals(packet.ProcessName, Name, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public override string ToString() => $"process {(Id != 0 ? Id.ToString(CultureInfo.InvariantCulture) : Name)}";
}
