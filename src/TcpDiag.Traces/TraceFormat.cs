namespace TcpDiag.Traces;

/// <summary>The kinds of trace file, told by their first bytes and never by their name.</summary>
public enum TraceFormat
{
    /// <summary>Event Trace Log of Windows (docs/formats/etl.md).</summary>
    Etl,

    /// <summary>PCAP Next Generation (draft-ietf-opsawg-pcapng).</summary>
    Pcapng,

    /// <summary>Classic libpcap, microsecond or nanosecond (draft-ietf-opsawg-pcap).</summary>
    Pcap,
}
