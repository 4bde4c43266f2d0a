using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>One field of an event.</summary>
public sealed record EventFieldEntry(string Name, string InType, string? OutType, string? Length, IReadOnlyDictionary<string, uint>? Values);
