using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>One name looked up by one host: the query with its repetitions, and the answer, if one came.</summary>
sealed class NameLookup
{
    /// <summary>Who asked.</summary>
    public required IpAddress Client { get; init; }

    /// <summary>Whom it asked; a multicast or broadcast address where nobody in particular.</summary>
    public required IpAddress Asked { get; init; }

    /// <summary>The name, as it stands in the query.</summary>
    public required string Name { get; init; }

    /// <summary>UDP port of the service: 53 DNS, 137 NetBIOS, 5353 mDNS, 5355 LLMNR.</summary>
    public required ushort Service { get; init; }

    /// <summary>First query.</summary>
    public required TraceTime First { get; init; }

    /// <summary>Its packet, from 1.</summary>
    public required long FirstPacket { get; init; }

    /// <summary>Latest query.</summary>
    public TraceTime Last { get; set; }

    /// <summary>Queries sent.</summary>
    public int Queries { get; set; } = 1;

    /// <summary>When the answer came, an error included; null while none has.</summary>
    public TraceTime? Answered { get; set; }

    /// <summary>Addresses in the answer.</summary>
    public List<IpAddress>? Addresses { get; set; }
}
