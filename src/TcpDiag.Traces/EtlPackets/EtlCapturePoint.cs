namespace TcpDiag.Traces.EtlPackets;

/// <summary>One capture point of an .etl trace as the first pass found it.</summary>
/// <param name="key">What tells it from the others.</param>
/// <param name="miniportIfIndex">Interface index of the adapter below, 0 when not told.</param>
sealed class EtlCapturePoint(EtlInterfaceKey key, uint miniportIfIndex)
{
    /// <summary>What tells it from the others.</summary>
    public EtlInterfaceKey Key { get; } = key;

    /// <summary>Interface index of the adapter below, 0 when not told.</summary>
    public uint MiniportIfIndex { get; } = miniportIfIndex;

    /// <summary>Whether it is the adapter itself and not a layer above it.</summary>
    public bool IsAdapter => Key.Number == MiniportIfIndex;

    /// <summary>Name that the packet event itself tells (switch port, connection), or null.</summary>
    public string? Name { get; init; }

    /// <summary>Packets logged there.</summary>
    public long Packets { get; set; }

    /// <summary>Those of them that are reports of drops.</summary>
    public long Drops { get; set; }

    /// <summary>How its packets stand to those of the other points.</summary>
    public EtlCaptureRole Role { get; set; }
}
