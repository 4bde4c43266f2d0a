using System.Text.Json.Serialization;

namespace TcpDiag.Traces.Bundles;

/// <summary>Reads and writes manifests without reflection: camelCase names, line feeds on every system.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, NewLine = "\n", RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(BundleManifest))]
public sealed partial class BundleJsonContext : JsonSerializerContext;
