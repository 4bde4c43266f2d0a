using System;
using System.Collections.Generic;
using System.Text;
using System.Text.Json;

namespace TcpDiag.Traces.Schemas;

/// <summary>Writes the fields of a payload as text for people or as JSON. One instance per thread; it keeps its buffer.</summary>
public sealed class EventFormatter
{
    readonly StringBuilder _value = new();
    readonly Stack<bool> _isArray = new();

    /// <summary>Appends <c>Name=value</c> for each field, blanks between them, control characters replaced.</summary>
    /// <param name="text">Where it goes.</param>
    /// <param name="schema">The layout.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="is64Bit">Whether pointers take 8 bytes.</param>
    public void AppendText(StringBuilder text, EventSchema schema, ReadOnlySpan<byte> payload, bool is64Bit)
    {
        var reader = new PayloadReader(schema, payload, is64Bit);
        while (reader.TryRead(out PayloadField field))
        {
            if (field.Kind == PayloadFieldKind.StructEnd)
            {
                text.Append(" }");
                continue;
            }

            text.Append(text.Length > 0 ? " " : string.Empty);
            AppendPrintable(text, field.Schema.Name);
            text.Append('=');
            if (field.Kind == PayloadFieldKind.StructStart)
            {
                text.Append('{');
                continue;
            }

            AppendValue(text, field);
        }

        if (!reader.Extra.IsEmpty)
        {
            text.Append(text.Length > 0 ? " " : string.Empty).Append("extra=").Append(Convert.ToHexStringLower(reader.Extra));
        }
    }

    /// <summary>Writes the fields as one JSON object; what is after them as <c>extra</c> in hexadecimal.</summary>
    /// <param name="json">Positioned where a value is expected.</param>
    /// <param name="schema">The layout.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="is64Bit">Whether pointers take 8 bytes.</param>
    public void WriteJson(Utf8JsonWriter json, EventSchema schema, ReadOnlySpan<byte> payload, bool is64Bit)
    {
        json.WriteStartObject();
        var reader = new PayloadReader(schema, payload, is64Bit);
        while (reader.TryRead(out PayloadField field))
        {
            switch (field.Kind)
            {
                case PayloadFieldKind.StructStart:
                    StartStruct(json, field);
                    break;
                case PayloadFieldKind.StructEnd:
                    EndStruct(json, field);
                    break;
                default:
                    WriteField(json, field);
                    break;
            }
        }

        // A payload that ends early leaves structs open.
        while (_isArray.TryPop(out bool isArray))
        {
            Close(json, isArray);
        }

        if (!reader.Extra.IsEmpty)
        {
            json.WriteString("extra", Convert.ToHexStringLower(reader.Extra));
        }

        json.WriteEndObject();
    }

    static void Close(Utf8JsonWriter json, bool isArray)
    {
        json.WriteEndObject();
        if (isArray)
        {
            json.WriteEndArray();
        }
    }

    static void AppendPrintable(StringBuilder text, ReadOnlySpan<char> value)
    {
        foreach (char unit in value)
        {
            text.Append(char.IsControl(unit) ? '?' : unit);
        }
    }

    void StartStruct(Utf8JsonWriter json, PayloadField field)
    {
        if (field.Element == 0)
        {
            json.WritePropertyName(field.Schema.Name);
            _isArray.Push(field.Schema.IsArray);
            if (field.Schema.IsArray)
            {
                json.WriteStartArray();
            }
        }

        json.WriteStartObject();
    }

    void EndStruct(Utf8JsonWriter json, PayloadField field)
    {
        if (field.IsLastElement)
        {
            Close(json, _isArray.Pop());
        }
        else
        {
            json.WriteEndObject();
        }
    }

    void AppendValue(StringBuilder text, PayloadField field)
    {
        if (!field.Schema.IsArray)
        {
            _value.Clear();
            ValueText.Append(_value, field.Schema, field.Data);
            foreach (ReadOnlyMemory<char> chunk in _value.GetChunks())
            {
                AppendPrintable(text, chunk.Span);
            }

            return;
        }

        text.Append('[');
        ReadOnlySpan<byte> rest = field.Data;
        for (int i = 0; i < field.Count && TryTakeElement(field, ref rest, out ReadOnlySpan<byte> element); i++)
        {
            text.Append(i > 0 ? "," : string.Empty);
            _value.Clear();
            ValueText.Append(_value, field.Schema, element);
            AppendPrintable(text, _value.ToString());
        }

        text.Append(']');
    }

    void WriteField(Utf8JsonWriter json, PayloadField field)
    {
        json.WritePropertyName(field.Schema.Name);
        if (!field.Schema.IsArray)
        {
            WriteElement(json, field.Schema, field.Data);
            if (field.TryReadInteger(out long number) && ValueText.NameOf(field.Schema, number) is { } name)
            {
                json.WriteString(field.Schema.Name + "Name", name);
            }

            return;
        }

        json.WriteStartArray();
        ReadOnlySpan<byte> rest = field.Data;
        for (int i = 0; i < field.Count && TryTakeElement(field, ref rest, out ReadOnlySpan<byte> element); i++)
        {
            WriteElement(json, field.Schema, element);
        }

        json.WriteEndArray();
    }

    static bool TryTakeElement(PayloadField field, scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> element)
    {
        int length = field.Schema.Length.Source == FieldLengthSource.Constant ? field.Schema.Length.Value : PayloadElements.NoLength;
        return PayloadElements.TryTake(field.Schema.InType, length, field.Is64Bit, ref rest, out element);
    }

    void WriteElement(Utf8JsonWriter json, FieldSchema schema, ReadOnlySpan<byte> data)
    {
        if (schema.InType == InType.Boolean || schema.OutType == OutType.Boolean)
        {
            json.WriteBooleanValue(data.IndexOfAnyExcept((byte)0) >= 0);
        }
        else if (InTypes.IsInteger(schema.InType) && !ValueText.IsTextual(schema) && PayloadField.TryReadInteger(schema, data, out long number))
        {
            WriteNumber(json, schema, number);
        }
        else
        {
            _value.Clear();
            ValueText.Append(_value, schema, data);
            json.WriteStringValue(_value.ToString());
        }
    }

    static void WriteNumber(Utf8JsonWriter json, FieldSchema schema, long number)
    {
        if (schema.InType is InType.UInt64 or InType.SizeT)
        {
            json.WriteNumberValue((ulong)number);
        }
        else
        {
            json.WriteNumberValue(number);
        }
    }
}
