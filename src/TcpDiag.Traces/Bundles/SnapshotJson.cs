using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Traces.Bundles;

/// <summary>Reads and writes snapshots as JSON.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, NewLine = "\n", RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(SystemSnapshot))]
public sealed partial class SnapshotJson : JsonSerializerContext
{
    /// <summary>Writes a snapshot.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <returns>UTF-8.</returns>
    public static byte[] ToBytes(SystemSnapshot snapshot) => JsonSerializer.SerializeToUtf8Bytes(snapshot, Default.SystemSnapshot);
}
