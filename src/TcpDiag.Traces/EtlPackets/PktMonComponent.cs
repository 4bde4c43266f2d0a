using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>A place in the network stack where PktMon watches packets, as its rundown describes it.</summary>
sealed class PktMonComponent
{
    /// <summary>Component type "Miniport" of PKTMON_COMPONENT_TYPE.</summary>
    public const ushort MiniportType = 2;

    /// <summary>Number by which packets name it.</summary>
    public required ushort Id { get; init; }

    /// <summary>PKTMON_COMPONENT_TYPE, 0 when not told.</summary>
    public ushort Type { get; set; }

    /// <summary>Name, or null.</summary>
    public string? Name { get; set; }

    /// <summary>Longer text, or null.</summary>
    public string? Description { get; set; }

    /// <summary>Interface index of the adapter it belongs to, or null.</summary>
    public uint? IfIndex { get; set; }

    /// <summary>Name of the virtual switch it belongs to, or null.</summary>
    public string? SwitchName { get; set; }

    /// <summary>Hardware address, empty when not told.</summary>
    public IReadOnlyList<byte> MacAddress { get; set; } = [];

    /// <summary>IP addresses.</summary>
    public IList<IpAddress> Addresses { get; } = [];

    /// <summary>Packets dropped there as its counters say, or null.</summary>
    public ulong? DropCounter { get; set; }
}
