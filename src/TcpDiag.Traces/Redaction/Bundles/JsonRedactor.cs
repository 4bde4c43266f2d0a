using System;
using System.IO;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace TcpDiag.Traces.Redaction.Bundles;

/// <summary>
/// Redacts snapshots and journals of a bundle: numbers, truth values and the names of fields stay, as do texts that the program itself writes; all other texts get pseudonyms.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class JsonRedactor(Pseudonyms names)
{
    static readonly JsonDocumentOptions Unambiguous = new() { AllowDuplicateProperties = false };

    static readonly JsonWriterOptions Indented = new() { Indented = true, NewLine = "\n" };

    /// <summary>Redacts one document.</summary>
    /// <param name="json">UTF-8.</param>
    /// <param name="isIndented">Whether to write it over several lines.</param>
    /// <returns>UTF-8.</returns>
    /// <exception cref="JsonException">It is no JSON, names a field twice, or has half a character in a text.</exception>
    public byte[] Redact(ReadOnlySpan<byte> json, bool isIndented)
    {
        try
        {
            return Write(JsonNode.Parse(json, documentOptions: Unambiguous), isIndented);
        }
        catch (InvalidOperationException exception)
        {
            // What .NET says of half a surrogate pair.
            throw new JsonException("a text in it is not Unicode.", exception);
        }
    }

    /// <summary>Redacts a document in each line; a line that is none is left out.</summary>
    /// <param name="lines">UTF-8.</param>
    /// <returns>UTF-8.</returns>
    public byte[] RedactLines(string lines)
    {
        var output = new MemoryStream();
        foreach (string line in lines.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            try
            {
                output.Write(Redact(Encoding.UTF8.GetBytes(line), isIndented: false));
                output.WriteByte((byte)'\n');
            }
            catch (JsonException)
            {
                names.Tally.Add(RedactionKind.OpaqueEventBytes, line.Length);
            }
        }

        return output.ToArray();
    }

    byte[] Write(JsonNode? root, bool isIndented)
    {
        var output = new MemoryStream();
        using (var writer = new Utf8JsonWriter(output, isIndented ? Indented : default))
        {
            Write(root, string.Empty, writer);
        }

        return output.ToArray();
    }

    void Write(JsonNode? node, string property, Utf8JsonWriter writer)
    {
        switch (node)
        {
            case JsonObject item:
                writer.WriteStartObject();
                foreach ((string name, JsonNode? value) in item)
                {
                    names.Originals.Publish(name);
                    writer.WritePropertyName(name);
                    bool isFactName = name is "name" && item.ContainsKey("subject");
                    Write(value, isFactName ? "subject.name" : name, writer);
                }

                writer.WriteEndObject();
                break;
            case JsonArray items:
                writer.WriteStartArray();
                foreach (JsonNode? item in items)
                {
                    Write(item, property, writer);
                }

                writer.WriteEndArray();
                break;
            case JsonValue value when value.GetValueKind() == JsonValueKind.String:
                writer.WriteStringValue(Replace(value.GetValue<string>(), property));
                break;
            case null:
                writer.WriteNullValue();
                break;
            default:
                node.WriteTo(writer);
                break;
        }
    }

    // Texts of the program, and times.
    string Replace(string text, string property) => property switch
    {
        "schema" or "tool" or "step" or "engine" or "source" or "name" or "utc" or "takenUtc" or "createdUtc" => names.ReplaceText(text, TextRule.Names),
        "subject.name" => names.ReplaceText(text, TextRule.Names),
        _ => names.ReplaceText(text, TextRule.Facts),
    };
}
