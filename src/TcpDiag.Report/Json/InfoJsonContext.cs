using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises <see cref="InfoDocument"/> without reflection.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(InfoDocument))]
[JsonSerializable(typeof(IReadOnlyList<BundleEntry>))]
sealed partial class InfoJsonContext : JsonSerializerContext;
