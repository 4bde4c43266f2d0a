namespace TcpDiag.Wire;

/// <summary>The record types this library knows by name (IANA "DNS Resource Record TYPEs"); any 16-bit value may occur.</summary>
#pragma warning disable CA1028 // the message stores 16 bits
public enum DnsRecordType : ushort
#pragma warning restore CA1028
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>IPv4 address.</summary>
    A = 1,

    /// <summary>Canonical name.</summary>
    CName = 5,

    /// <summary>Nothing: the negative answer of the NetBIOS name service (RFC 1002 §4.2.14).</summary>
    Null = 10,

    /// <summary>Pointer to a name.</summary>
    Ptr = 12,

    /// <summary>IPv6 address.</summary>
    Aaaa = 28,

    /// <summary>NetBIOS name service: general name record (RFC 1002 §4.2.1.3).</summary>
    Nb = 32,

    /// <summary>NetBIOS name service: node status (RFC 1002 §4.2.17).</summary>
    NbStat = 33,

    /// <summary>Which names have no record of a type (RFC 6762 §6.1).</summary>
    Nsec = 47,

    /// <summary>How to reach a web server (RFC 9460).</summary>
    Https = 65,
}
