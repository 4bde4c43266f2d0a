using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises the documents of <c>events</c>.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(EventsDocument))]
[JsonSerializable(typeof(EventsDiffDocument))]
public sealed partial class EventsJsonContext : JsonSerializerContext;
