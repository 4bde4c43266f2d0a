using System.Text.Json.Serialization;

namespace TcpDiag.Report.Html;

/// <summary>Serialisation without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ConnectionColumns))]
sealed partial class ConnectionColumnsContext : JsonSerializerContext;
