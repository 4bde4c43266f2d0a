using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace TcpDiag.Report.Json;

/// <summary>
/// Writes a document with long lists entry by entry: it is never held as a whole, and the serializer has faster code for a whole object than for one that it may
/// have to leave half written.
/// </summary>
sealed class EntryWriter : IDisposable
{
    const int MostPendingBytes = 1 << 16;

    readonly Stream _output;
    readonly ArrayBufferWriter<byte> _pending = new(2 * MostPendingBytes);
    readonly Utf8JsonWriter _json;

    /// <summary>Begins with nothing.</summary>
    /// <param name="output">Where to; not closed.</param>
    public EntryWriter(Stream output)
    {
        _output = output;
        _json = new Utf8JsonWriter(_pending);
    }

    /// <summary>Begins the document with the properties of an object.</summary>
    /// <param name="head">The object.</param>
    /// <param name="type">How it is serialised.</param>
    public void Begin<T>(T head, JsonTypeInfo<T> type)
    {
        _json.WriteStartObject();
        foreach (JsonProperty property in JsonSerializer.SerializeToElement(head, type).EnumerateObject())
        {
            property.WriteTo(_json);
        }
    }

    /// <summary>Adds a list to the document.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="entries">Its entries; each is asked for when the one before is written.</param>
    /// <param name="type">How an entry is serialised.</param>
    public void Write<T>(string name, IEnumerable<T> entries, JsonTypeInfo<T> type)
    {
        _json.WriteStartArray(name);
        foreach (T entry in entries)
        {
            JsonSerializer.Serialize(_json, entry, type);
            if (_pending.WrittenCount > MostPendingBytes)
            {
                Drain();
            }
        }

        _json.WriteEndArray();
    }

    /// <summary>Ends the document.</summary>
    public void End()
    {
        _json.WriteEndObject();
        _json.Flush();
        Drain();
        _output.Flush();
    }

    /// <inheritdoc/>
    public void Dispose() => _json.Dispose();

    void Drain()
    {
        _output.Write(_pending.WrittenSpan);
        _pending.ResetWrittenCount();
    }
}
