using TcpDiag.Wire;

namespace TcpDiag.Traces.Inspection;

/// <summary>What was captured at one capture point.</summary>
/// <param name="Name">Name, or null.</param>
/// <param name="Description">Longer text, or null.</param>
/// <param name="LinkType">What its packets begin with.</param>
/// <param name="Packets">Packets seen there, reports of drops included.</param>
/// <param name="Dropped">Packets lost there as the trace says, or null where it does not.</param>
public sealed record InterfaceSummary(string? Name, string? Description, LinkType LinkType, long Packets, long? Dropped);
