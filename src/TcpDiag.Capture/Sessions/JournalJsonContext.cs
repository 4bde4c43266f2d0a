using System.Text.Json.Serialization;

namespace TcpDiag.Capture.Sessions;

/// <summary>Reads and writes journal lines without reflection: one JSON object a line.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(JournalEntry))]
sealed partial class JournalJsonContext : JsonSerializerContext;
