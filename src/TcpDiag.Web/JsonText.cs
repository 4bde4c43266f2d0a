using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Web;

/// <summary>What is wrong, for a program.</summary>
/// <param name="Error">A sentence.</param>
sealed record ErrorDocument(string Error);

/// <summary>Serialises <see cref="ErrorDocument"/> without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ErrorDocument))]
sealed partial class WebJsonContext : JsonSerializerContext;

/// <summary>Short JSON documents.</summary>
static class JsonText
{
    /// <summary>What is wrong.</summary>
    public static string Error(string text) => JsonSerializer.Serialize(new ErrorDocument(text), WebJsonContext.Default.ErrorDocument) + "\n";
}
