namespace TcpDiag.Traces.EtlPackets;

/// <summary>Which provider's numbering an interface of an .etl trace follows.</summary>
enum EtlCaptureSource
{
    /// <summary>NDIS-PacketCapture 1001: the number is LowerIfIndex.</summary>
    Ndis,

    /// <summary>NDIS-PacketCapture 1003: the number is LowerIfIndex, of a layer of the virtual switch.</summary>
    VmSwitch,

    /// <summary>NdisWan: no numbers.</summary>
    NdisWan,

    /// <summary>PktMon: the number is ComponentId.</summary>
    PktMon,
}
