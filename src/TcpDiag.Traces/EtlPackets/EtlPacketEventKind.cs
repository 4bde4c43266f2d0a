namespace TcpDiag.Traces.EtlPackets;

/// <summary>What an event means for packets.</summary>
enum EtlPacketEventKind
{
    /// <summary>It is no packet event.</summary>
    None,

    /// <summary>It holds a packet, or a fragment of one.</summary>
    Packet,

    /// <summary>It is a packet event whose payload contradicts itself.</summary>
    Damaged,

    /// <summary>It holds data from above the IP layer, for which packet formats have no type.</summary>
    NotAFrame,
}
