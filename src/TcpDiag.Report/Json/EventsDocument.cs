using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>What <c>tcpdiag events --json</c> prints.</summary>
public sealed record EventsDocument(string Schema, int Build, IReadOnlyList<EventEntry> Events);
