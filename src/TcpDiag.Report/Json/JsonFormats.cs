using System;
using System.Collections.Generic;
using System.Text.Json;

namespace TcpDiag.Report.Json;

/// <summary>What documents write that <see cref="Utf8JsonWriter"/> does not have.</summary>
static class JsonFormats
{
    /// <summary>Writes a whole number, or null.</summary>
    public static void WriteNumber(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long? value)
    {
        if (value is { } known)
        {
            json.WriteNumber(name, known);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    /// <summary>Writes a list of texts.</summary>
    public static void WriteStrings(this Utf8JsonWriter json, ReadOnlySpan<byte> name, IReadOnlyList<string> texts)
    {
        json.WriteStartArray(name);
        for (int i = 0; i < texts.Count; i++)
        {
            json.WriteStringValue(texts[i]);
        }

        json.WriteEndArray();
    }
}
