using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>What <c>tcpdiag events diff --json</c> prints.</summary>
public sealed record EventsDiffDocument(
    string Schema, int From, int To, IReadOnlyList<EventEntry> Appeared, IReadOnlyList<EventEntry> Vanished, IReadOnlyList<EventChangeEntry> Changed);
