namespace TcpDiag.Wire;

/// <summary>The IP protocol numbers this library knows by name; any 8-bit value may occur.</summary>
#pragma warning disable CA1028 // the header stores eight bits
public enum IpProtocol : byte
#pragma warning restore CA1028
{
    /// <summary>Hop-by-hop options (IPv6).</summary>
    HopByHop = 0,

    /// <summary>ICMP for IPv4.</summary>
    Icmp = 1,

    /// <summary>Transmission Control Protocol.</summary>
    Tcp = 6,

    /// <summary>User Datagram Protocol.</summary>
    Udp = 17,

    /// <summary>Routing header (IPv6).</summary>
    Routing = 43,

    /// <summary>Fragment header (IPv6).</summary>
    Fragment = 44,

    /// <summary>Authentication header.</summary>
    Authentication = 51,

    /// <summary>ICMP for IPv6.</summary>
    IcmpV6 = 58,

    /// <summary>No next header (IPv6).</summary>
    NoNextHeader = 59,

    /// <summary>Destination options (IPv6).</summary>
    DestinationOptions = 60,

    /// <summary>Mobility header (IPv6).</summary>
    Mobility = 135,

    /// <summary>Host identity protocol.</summary>
    HostIdentity = 139,

    /// <summary>Shim6.</summary>
    Shim6 = 140,
}
