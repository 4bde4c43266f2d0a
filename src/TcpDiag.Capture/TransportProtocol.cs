namespace TcpDiag.Capture;

/// <summary>A transport protocol by its number in the IP header (IANA).</summary>
public enum TransportProtocol
{
    /// <summary>Whichever.</summary>
    Any = 0,

    /// <summary>TCP.</summary>
    Tcp = 6,

    /// <summary>UDP.</summary>
    Udp = 17,
}
