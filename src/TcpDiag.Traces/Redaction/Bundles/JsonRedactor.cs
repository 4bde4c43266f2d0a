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
            return Write(Parse(json), isIndented);
        }
        catch (InvalidOperationException exception)
        {
            // What .NET says of half a surrogate pair.
            throw new JsonException("a text in it is not Unicode.", exception);
        }
    }

    /// <summary>Takes in what a document names that will be replaced, before anything is: names of settings are left as they are only if they are not among it.</summary>
    /// <param name="json">UTF-8; what is no JSON teaches nothing.</param>
    public void Learn(ReadOnlySpan<byte> json)
    {
        try
        {
            Learn(Parse(json), string.Empty);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            // Redacting it will tell.
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

    /// <summary>Takes in what each line names.</summary>
    /// <param name="lines">UTF-8.</param>
    public void LearnLines(string lines)
    {
        foreach (string line in lines.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            Learn(Encoding.UTF8.GetBytes(line));
        }
    }

    static JsonNode? Parse(ReadOnlySpan<byte> json) => JsonNode.Parse(json, documentOptions: Unambiguous);

    void Learn(JsonNode? node, string property)
    {
        switch (node)
        {
            case JsonObject item:
                foreach ((string name, JsonNode? value) in item)
                {
                    Learn(value, name);
                }

                break;
            case JsonArray items:
                foreach (JsonNode? item in items)
                {
                    Learn(item, property);
                }

                break;
            case JsonValue value when value.GetValueKind() == JsonValueKind.String && RuleOf(property) is not TextRule.Names and var rule:
                names.Learn(value.GetValue<string>(), rule);
                break;
            default:
                break;
        }
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
                    Write(value, name, writer);
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

    string Replace(string text, string property) => names.ReplaceText(text, RuleOf(property));

    // Texts of the program, and times.
    static TextRule RuleOf(string property) => property switch
    {
        "schema" or "tool" or "step" or "engine" or "source" or "name" or "utc" or "takenUtc" or "createdUtc" => TextRule.Names,
        _ => TextRule.Facts,
    };
}
