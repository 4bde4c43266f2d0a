using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>
/// A point at which packets were captured: a pcapng interface, an NDIS adapter or filter layer, a PktMon component.
/// Filled while the trace is read; counts are final when reading ends.
/// </summary>
public sealed class TraceInterface
{
    /// <summary>Position in <see cref="TraceReader.Interfaces"/>.</summary>
    public required int Index { get; init; }

    /// <summary>Name as captured (<c>eth0</c>, <c>Ethernet 2</c>), or null.</summary>
    public string? Name { get; set; }

    /// <summary>Longer text, or null.</summary>
    public string? Description { get; set; }

    /// <summary>What its frames begin with.</summary>
    public required LinkType LinkType { get; init; }

    /// <summary>Most bytes kept of a packet; 0 when not limited or not told.</summary>
    public int SnapLength { get; set; }

    /// <summary>Addresses the interface had, as the trace tells them.</summary>
    public IList<IpAddress> Addresses { get; } = [];

    /// <summary>The six bytes of its MAC address, or empty.</summary>
    public IReadOnlyList<byte> MacAddress { get; set; } = [];

    /// <summary>Link speed in bits per second, or null.</summary>
    public ulong? SpeedBitsPerSecond { get; set; }

    /// <summary>Packets read so far.</summary>
    public long Packets { get; set; }

    /// <summary>Packets the capture lost at this interface as it says itself, or null where it does not.</summary>
    public long? Dropped { get; set; }
}
