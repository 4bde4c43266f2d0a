using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// Checks a document against one of docs/schemas: the part of JSON Schema (draft 2020-12) that those files use. Stricter
/// in one point: a property that the schema does not name is an error, so that the schemas stay complete.
/// </summary>
sealed class JsonSchema
{
    readonly JsonElement _root;

    JsonSchema(JsonElement root) => _root = root;

    /// <summary>Reads a schema.</summary>
    /// <param name="name">File name in docs/schemas.</param>
    /// <returns>The schema.</returns>
    public static JsonSchema Read(string name) =>
        new(JsonDocument.Parse(File.ReadAllText(ProjectFolder.PathOf("docs", "schemas", name))).RootElement);

    /// <summary>Checks a document.</summary>
    /// <param name="json">Its text.</param>
    /// <returns>What is wrong, one line each.</returns>
    public IReadOnlyList<string> Check(string json) => [.. Check(JsonDocument.Parse(json).RootElement, _root, "$")];

    IEnumerable<string> Check(JsonElement value, JsonElement schema, string path)
    {
        if (schema.TryGetProperty("$ref", out JsonElement reference))
        {
            return Check(value, Resolve(reference.GetString()!), path);
        }

        if (schema.TryGetProperty("oneOf", out JsonElement kinds))
        {
            return kinds.EnumerateArray().Select(kind => Check(value, kind, path).ToList()).MinBy(wrong => wrong.Count)!;
        }

        if (schema.TryGetProperty("const", out JsonElement constant) && !JsonElement.DeepEquals(constant, value))
        {
            return [$"{path}: expected {constant}, found {value}"];
        }

        if (schema.TryGetProperty("enum", out JsonElement choices) && !choices.EnumerateArray().Any(choice => JsonElement.DeepEquals(choice, value)))
        {
            return [$"{path}: {value} is not one of {choices}"];
        }

        if (schema.TryGetProperty("type", out JsonElement type) && !IsOf(value, type))
        {
            return [$"{path}: expected {type}, found {value.ValueKind}"];
        }

        return value.ValueKind switch
        {
            JsonValueKind.Object => CheckObject(value, schema, path),
            JsonValueKind.Array when schema.TryGetProperty("items", out JsonElement items) =>
                value.EnumerateArray().SelectMany((item, i) => Check(item, items, string.Create(CultureInfo.InvariantCulture, $"{path}[{i}]"))),
            JsonValueKind.Number => CheckNumber(value.GetDouble(), schema, path),
            _ => [],
        };
    }

    IEnumerable<string> CheckObject(JsonElement value, JsonElement schema, string path)
    {
        if (schema.TryGetProperty("required", out JsonElement required))
        {
            foreach (JsonElement name in required.EnumerateArray().Where(name => !value.TryGetProperty(name.GetString()!, out _)))
            {
                yield return $"{path}: {name} is missing";
            }
        }

        if (!schema.TryGetProperty("properties", out JsonElement properties))
        {
            yield break;
        }

        foreach (JsonProperty property in value.EnumerateObject())
        {
            IEnumerable<string> wrong = properties.TryGetProperty(property.Name, out JsonElement inner)
                ? Check(property.Value, inner, $"{path}.{property.Name}")
                : [$"{path}: {property.Name} is not in the schema"];
            foreach (string line in wrong)
            {
                yield return line;
            }
        }
    }

    static IEnumerable<string> CheckNumber(double value, JsonElement schema, string path)
    {
        if (schema.TryGetProperty("minimum", out JsonElement minimum) && value < minimum.GetDouble())
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{path}: {value} is below {minimum}");
        }

        if (schema.TryGetProperty("maximum", out JsonElement maximum) && value > maximum.GetDouble())
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{path}: {value} is above {maximum}");
        }
    }

    static bool IsOf(JsonElement value, JsonElement type) => type.ValueKind == JsonValueKind.Array
        ? type.EnumerateArray().Any(one => IsOf(value, one))
        : type.GetString() switch
        {
            "object" => value.ValueKind == JsonValueKind.Object,
            "array" => value.ValueKind == JsonValueKind.Array,
            "string" => value.ValueKind == JsonValueKind.String,
            "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
            "null" => value.ValueKind == JsonValueKind.Null,
            "integer" => value.ValueKind == JsonValueKind.Number && double.IsInteger(value.GetDouble()),
            "number" => value.ValueKind == JsonValueKind.Number,
            string other => throw new InvalidOperationException($"type {other} is not known to this validator"),
            null => false,
        };

    JsonElement Resolve(string reference) => reference.Split('/').Skip(1).Aggregate(_root, (element, name) => element.GetProperty(name));
}
