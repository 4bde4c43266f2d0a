using System;
using System.Collections.Frozen;
using System.IO;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Redaction.Bundles;

/// <summary>
/// Redacts snapshots and journals of a bundle: numbers, Boolean values and property names stay; the rule for a text depends on its position
/// (<see cref="JsonPath"/>).
/// </summary>
sealed class JsonRedactor(Pseudonyms names)
{
    static readonly JsonDocumentOptions Unambiguous = new() { AllowDuplicateProperties = false };

    // The output is not embedded in HTML: a plus stays a plus.
    static readonly JsonWriterOptions Indented = new() { Indented = true, NewLine = "\n", Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    static readonly JsonWriterOptions OneLine = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Redacts one document.</summary>
    /// <exception cref="JsonException">It is not JSON, has a duplicate property, or half a surrogate pair.</exception>
    public byte[] Redact(ReadOnlySpan<byte> json, bool isIndented)
    {
        try
        {
            return Write(Parse(json), isIndented);
        }
        catch (InvalidOperationException exception)
        {
            // Thrown for half a surrogate pair.
            throw new JsonException("a text in it is not Unicode.", exception);
        }
    }

    /// <summary>Records the names in a document that will be replaced: names of settings stay only if they are not among them.</summary>
    public void Learn(ReadOnlySpan<byte> json)
    {
        try
        {
            Learn(Parse(json), JsonPath.Root);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            // Redacting it reports the damage.
        }
    }

    /// <summary>Redacts one document per line; a line that is none is left out.</summary>
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
                names.Counts.Add(RedactionKind.OpaqueEventBytes, line.Length);
            }
        }

        return output.ToArray();
    }

    public void LearnLines(string lines)
    {
        foreach (string line in lines.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            Learn(Encoding.UTF8.GetBytes(line));
        }
    }

    static JsonNode? Parse(ReadOnlySpan<byte> json) => JsonNode.Parse(json, documentOptions: Unambiguous);

    void Learn(JsonNode? node, JsonPath path)
    {
        switch (node)
        {
            case JsonObject item:
                JsonPath inside = path.Inside(item);
                foreach ((string name, JsonNode? value) in item)
                {
                    Learn(value, inside.At(name));
                }

                break;
            case JsonArray items:
                foreach (JsonNode? item in items)
                {
                    Learn(item, path);
                }

                break;
            case JsonValue value when value.GetValueKind() == JsonValueKind.String:
                string text = value.GetValue<string>();
                names.Learn(text, path.RuleOf(text));
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
            Write(root, JsonPath.Root, writer);
        }

        return output.ToArray();
    }

    void Write(JsonNode? node, JsonPath path, Utf8JsonWriter writer)
    {
        switch (node)
        {
            case JsonObject item:
                Write(item, path.Inside(item), writer);
                break;
            case JsonArray items:
                writer.WriteStartArray();
                foreach (JsonNode? item in items)
                {
                    Write(item, path, writer);
                }

                writer.WriteEndArray();
                break;
            case JsonValue value when value.GetValueKind() == JsonValueKind.String:
                string text = value.GetValue<string>();
                writer.WriteStringValue(names.ReplaceText(text, path.RuleOf(text)));
                break;
            case null:
                writer.WriteNullValue();
                break;
            default:
                node.WriteTo(writer);
                break;
        }
    }

    void Write(JsonObject item, JsonPath inside, Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        foreach ((string name, JsonNode? value) in item)
        {
            names.Originals.AddPublic(name);
            writer.WritePropertyName(name);
            Write(value, inside.At(name), writer);
        }

        writer.WriteEndObject();
    }
}

/// <summary>
/// The position of a text in a snapshot (docs/schemas/snapshot.json) or a journal, which shows who wrote it: this program, the system and its drivers, or a
/// person who named something. Only texts of the first two may stay.
/// </summary>
/// <param name="Section">Section of the snapshot; empty outside.</param>
/// <param name="Fact">Name of the fact; in a journal the step.</param>
/// <param name="Property">The field of the document.</param>
readonly record struct JsonPath(string Section, string Fact, string Property)
{
    // Sections with rules of their own: their names stay, so that the same rules apply when the result is read.
    static readonly FrozenSet<string> Sections =
    [
        JudgedSettings.SysctlsSection, JudgedSettings.TemplatesSection, JudgedSettings.TcpRegistrySection, JudgedSettings.AfdRegistrySection,
        JudgedSettings.BindingsSection, JudgedSettings.InterfacesSection,
        "system", "machine", "adapters", "adapter-settings", "firmware", "hardware", "rss", "rsc", "lso", "checksum-offload", "tcp-offload", "power",
        "firewall", "wfp-callouts", "antivirus", "dns", "proxy", "winhttp-proxy", "routes", "qdiscs", "sockets",
        "tcp-template-filters", "tcp-interface-registry", "tcp-global",
    ];

    public static JsonPath Root { get; } = new(string.Empty, string.Empty, string.Empty);

    /// <summary>The position inside an object; the property is still that of the object.</summary>
    public JsonPath Inside(JsonObject item) => Property switch
    {
        "sections" => this with { Section = TextOf(item["name"]) },
        "facts" => this with { Fact = TextOf(item["name"]) },
        "" => this with { Fact = TextOf(item["step"]) },
        _ => this,
    };

    public JsonPath At(string property) => this with { Property = property };

    public TextRule RuleOf(string text) => Property switch
    {
        "name" when Fact.Length == 0 && Section.Equals(text, StringComparison.Ordinal) && Sections.Contains(text) => TextRule.Own,
        "schema" or "tool" or "step" or "engine" or "source" or "name" or "utc" or "takenUtc" or "createdUtc" or "operatingSystem" => TextRule.Names,
        "problem" => TextRule.Sentence,
        "detail" => Fact is "Prepared" ? TextRule.Facts : TextRule.Sentence, // the first line holds the request in the user's words
        "subject" => RuleOfSubject(text),
        "value" => RuleOfValue(),
        _ => TextRule.Facts,
    };

    // System files, built-in profiles, keys; otherwise adapters and addresses.
    TextRule RuleOfSubject(string text) => Section switch
    {
        "machine" or "firewall" or "wfp-callouts" or JudgedSettings.TemplatesSection => TextRule.Names,
        "dns" when text.StartsWith("/etc/", StringComparison.Ordinal) || text.StartsWith("/run/", StringComparison.Ordinal) => TextRule.Names,
        "adapter-settings" or JudgedSettings.BindingsSection => TextRule.NameAtEnd,
        "firmware" => TextRule.DevicePath,
        _ => TextRule.Ordinary,
    };

    // What kernel, drivers and Windows report about themselves. DNS, proxy, antivirus, vendor of the machine and builder of the kernel may name somebody.
    TextRule RuleOfValue() => Section switch
    {
        JudgedSettings.SysctlsSection or JudgedSettings.TemplatesSection or JudgedSettings.TcpRegistrySection or JudgedSettings.AfdRegistrySection
            or JudgedSettings.BindingsSection or "system" or "tcp-offload" or "power" or "firewall" or "firmware" or "rss" or "rsc" or "lso"
            or "checksum-offload" or "hardware" or "wfp-callouts" or "qdiscs" or "routes" or "sockets" or "tcp-global"
            or "tcp-interface-registry" or "tcp-template-filters" => TextRule.Names,
        JudgedSettings.InterfacesSection when Fact is "driver" or "driver-version" or "firmware" or "bus" or "operstate" or "duplex" => TextRule.Names,
        "adapters" when Fact.StartsWith("Driver", StringComparison.Ordinal) => TextRule.Names,
        "adapters" when Fact is "PnPDeviceID" => TextRule.DevicePath,
        "proxy" or "winhttp-proxy" => TextRule.Networks,
        "machine" when Fact is "/proc/version" => TextRule.NameAtStart,
        "machine" when Fact.StartsWith("/sys/devices/", StringComparison.Ordinal) || Fact.StartsWith("/proc/sys/", StringComparison.Ordinal) => TextRule.Names,
        "adapter-settings" => TextRule.Ordinary, // the address of an adapter may be configured, and is a number
        _ => TextRule.Facts,
    };

    static string TextOf(JsonNode? node) => node is JsonValue value && value.TryGetValue(out string? text) ? text : string.Empty;
}
