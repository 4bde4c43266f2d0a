using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Inspection;

/// <summary>What one provider logged.</summary>
/// <param name="Provider">Provider, or class of classic and kernel events; empty when unknown.</param>
/// <param name="Name">Its name, or null.</param>
/// <param name="Count">Events in all.</param>
/// <param name="Events">The kinds, by id or opcode, then version.</param>
public sealed record ProviderSummary(Guid Provider, string? Name, long Count, IReadOnlyList<EventSummary> Events);
