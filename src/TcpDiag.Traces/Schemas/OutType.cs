namespace TcpDiag.Traces.Schemas;

/// <summary>How a field is to be shown. Only the kinds that change the text; everything else follows from the in-type.</summary>
public enum OutType
{
    /// <summary>As the in-type suggests.</summary>
    Default = 0,

    /// <summary>In hexadecimal.</summary>
    Hex,

    /// <summary>A port in network order.</summary>
    Port,

    /// <summary>An IPv4 address in network order.</summary>
    Ipv4,

    /// <summary>An IPv4 or IPv6 address, by its length.</summary>
    IpAddress,

    /// <summary>A SOCKADDR (IPv4 or IPv6).</summary>
    SocketAddress,

    /// <summary>A link-layer address.</summary>
    Mac,

    /// <summary>A truth value.</summary>
    Boolean,

    /// <summary>An error code (NTSTATUS, HRESULT): hexadecimal unless 0.</summary>
    ErrorCode,

    /// <summary>Text in 8-bit units (a character, a string in bytes) as UTF-8.</summary>
    Utf8,

    /// <summary>A number of 1 or 2 bytes that is a character.</summary>
    Character,
}
