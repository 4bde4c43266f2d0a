using System;
using System.IO;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace TcpDiag.Traces.Redaction.Bundles;

/// <summary>
/// Redacts snapshots and journals of a bundle: numbers, truth values and the names of fields stay; what becomes of a text is decided by its place (<see cref="JsonPlace"/>).
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class JsonRedactor(Pseudonyms names)
{
    static readonly JsonDocumentOptions Unambiguous = new() { AllowDuplicateProperties = false };

    // No page of the web is made of it: a plus stays a plus.
    static readonly JsonWriterOptions Indented = new() { Indented = true, NewLine = "\n", Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    static readonly JsonWriterOptions OneLine = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

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
            Learn(Parse(json), JsonPlace.Root);
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

    void Learn(JsonNode? node, JsonPlace place)
    {
        switch (node)
        {
            case JsonObject item:
                JsonPlace inside = place.Inside(item);
                foreach ((string name, JsonNode? value) in item)
                {
                    Learn(value, inside.At(name));
                }

                break;
            case JsonArray items:
                foreach (JsonNode? item in items)
                {
                    Learn(item, place);
                }

                break;
            case JsonValue value when value.GetValueKind() == JsonValueKind.String:
                string text = value.GetValue<string>();
                names.Learn(text, place.RuleOf(text));
                break;
            default:
                break;
        }
    }

    byte[] Write(JsonNode? root, bool isIndented)
    {
        var output = new MemoryStream();
        using (var writer = new Utf8JsonWriter(output, isIndented ? Indented : OneLine))
        {
            Write(root, JsonPlace.Root, writer);
        }

        return output.ToArray();
    }

    void Write(JsonNode? node, JsonPlace place, Utf8JsonWriter writer)
    {
        switch (node)
        {
            case JsonObject item:
                Write(item, place.Inside(item), writer);
                break;
            case JsonArray items:
                writer.WriteStartArray();
                foreach (JsonNode? item in items)
                {
                    Write(item, place, writer);
                }

                writer.WriteEndArray();
                break;
            case JsonValue value when value.GetValueKind() == JsonValueKind.String:
                string text = value.GetValue<string>();
                writer.WriteStringValue(names.ReplaceText(text, place.RuleOf(text)));
                break;
            case null:
                writer.WriteNullValue();
                break;
            default:
                node.WriteTo(writer);
                break;
        }
    }

    void Write(JsonObject item, JsonPlace inside, Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        foreach ((string name, JsonNode? value) in item)
        {
            names.Originals.Publish(name);
            writer.WritePropertyName(name);
            Write(value, inside.At(name), writer);
        }

        writer.WriteEndObject();
    }
}
