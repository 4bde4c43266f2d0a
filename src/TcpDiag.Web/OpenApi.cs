using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace TcpDiag.Web;

/// <summary>Describes the routes as an OpenAPI document, version 3.1.</summary>
static partial class OpenApi
{
    /// <summary>Describes routes.</summary>
    /// <param name="routes">The routes.</param>
    /// <returns>What writes the document.</returns>
    public static Action<TextWriter> Write(IReadOnlyList<Route> routes) => output =>
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
        {
            json.WriteStartObject();
            json.WriteString("openapi"u8, "3.1.0");
            WriteInfo(json);
            json.WriteStartObject("paths"u8);
            foreach (Route route in routes)
            {
                WritePath(json, route);
            }

            json.WriteEndObject();
            json.WriteEndObject();
        }

        output.WriteLine(System.Text.Encoding.UTF8.GetString(stream.ToArray()));
    };

    static void WriteInfo(Utf8JsonWriter json)
    {
        json.WriteStartObject("info"u8);
        json.WriteString("title"u8, "tcpdiag serve");
        json.WriteString("version"u8, typeof(OpenApi).Assembly.GetName().Version?.ToString(3));
        json.WriteString("description"u8, "A store of results, read only. Documents are those of the commands; their schemas are in docs/schemas.");
        json.WriteEndObject();
        json.WriteStartObject("components"u8);
        json.WriteStartObject("securitySchemes"u8);
        json.WriteStartObject("token"u8);
        json.WriteString("type"u8, "http");
        json.WriteString("scheme"u8, "bearer");
        json.WriteString("description"u8, "The token that tcpdiag serve prints when it starts.");
        json.WriteEndObject();
        json.WriteEndObject();
        json.WriteEndObject();
        json.WriteStartArray("security"u8);
        json.WriteStartObject();
        json.WriteStartArray("token"u8);
        json.WriteEndArray();
        json.WriteEndObject();
        json.WriteEndArray();
    }

    static void WritePath(Utf8JsonWriter json, Route route)
    {
        json.WriteStartObject(route.Pattern);
        json.WriteStartObject("get"u8);
        json.WriteString("summary"u8, route.Summary);
        if (route.IsOpen)
        {
            json.WriteStartArray("security"u8);
            json.WriteEndArray();
        }

        json.WriteStartArray("parameters"u8);
        foreach (Match name in InPath().Matches(route.Pattern))
        {
            bool isNumber = name.Groups["name"].Value is "connection";
            WriteParameter(json, new(name.Groups["name"].Value, isNumber ? "Number of the connection" : "SHA-256 of the recording", isNumber, IsRequired: true),
                "path");
        }

        foreach (Parameter parameter in route.Query)
        {
            WriteParameter(json, parameter, "query");
        }

        json.WriteEndArray();
        WriteResponses(json, route);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    static void WriteParameter(Utf8JsonWriter json, Parameter parameter, string place)
    {
        json.WriteStartObject();
        json.WriteString("name"u8, parameter.Name);
        json.WriteString("in"u8, place);
        json.WriteString("description"u8, parameter.About);
        json.WriteBoolean("required"u8, parameter.IsRequired);
        json.WriteStartObject("schema"u8);
        json.WriteString("type"u8, parameter.IsNumber ? "integer" : "string");
        json.WriteEndObject();
        json.WriteEndObject();
    }

    static void WriteResponses(Utf8JsonWriter json, Route route)
    {
        json.WriteStartObject("responses"u8);
        json.WriteStartObject("200"u8);
        json.WriteString("description"u8, route.Summary);
        json.WriteStartObject("content"u8);
        json.WriteStartObject(route.ContentType);
        if (route.Schema is { } schema)
        {
            json.WriteStartObject("schema"u8);
            json.WriteString("$ref"u8, $"urn:tcpdiag:schema:{schema}:1");
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteEndObject();
        json.WriteEndObject();
        (string Status, string About)[] refusals = [("400", "What is asked cannot be"), ("401", "Without the token"), ("404", "It is not there"),
            ("429", "Too many requests"), ("503", "The store cannot be read")];
        foreach ((string status, string about) in refusals.Where(refusal => !route.IsOpen || refusal.Status is not "401"))
        {
            json.WriteStartObject(status);
            json.WriteString("description"u8, about);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    [GeneratedRegex(@"\{(?<name>\w+)\}", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex InPath();
}
