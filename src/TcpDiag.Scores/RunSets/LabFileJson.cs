using System.Text.Json.Serialization;

namespace TcpDiag.Scores.RunSets;

/// <summary>Reads <see cref="LabFile"/> and <see cref="LabFileHeader"/> without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(LabFile))]
[JsonSerializable(typeof(LabFileHeader))]
sealed partial class LabFileJson : JsonSerializerContext;
