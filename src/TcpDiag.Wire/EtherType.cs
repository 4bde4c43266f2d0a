namespace TcpDiag.Wire;

/// <summary>EtherType values (IEEE 802 numbers) that lead to an IP header.</summary>
static class EtherType
{
    /// <summary>Smallest EtherType; below it the field is an 802.3 length.</summary>
    public const ushort Minimum = 0x0600;

    /// <summary>IPv4.</summary>
    public const ushort Ipv4 = 0x0800;

    /// <summary>802.1Q customer tag.</summary>
    public const ushort Vlan = 0x8100;

    /// <summary>802.1ad service tag.</summary>
    public const ushort ServiceVlan = 0x88A8;

    /// <summary>Service tag as used before 802.1ad.</summary>
    public const ushort OldServiceVlan = 0x9100;

    /// <summary>IPv6.</summary>
    public const ushort Ipv6 = 0x86DD;

    /// <summary>MPLS label stack (RFC 3032 §5; RFC 5332 §3).</summary>
    public const ushort Mpls = 0x8847;

    /// <summary>MPLS label stack with a label the upstream router assigned (RFC 5332 §3).</summary>
    public const ushort MplsUpstream = 0x8848;

    /// <summary>PPP over Ethernet, session stage (RFC 2516 §4); its discovery carries no IP.</summary>
    public const ushort PppoeSession = 0x8864;
}
