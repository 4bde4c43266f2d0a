namespace TcpDiag.Traces.Inspection;

/// <summary>How often one kind of event occurs in a trace.</summary>
/// <param name="Id">Event id; null for classic and kernel events, which have none.</param>
/// <param name="Version">Version of the payload.</param>
/// <param name="Opcode">Opcode of a classic or kernel event; null for others, whose id tells enough.</param>
/// <param name="Name">Name of the event, or null.</param>
/// <param name="Count">Events of this kind.</param>
public sealed record EventSummary(int? Id, int Version, int? Opcode, string? Name, long Count);
