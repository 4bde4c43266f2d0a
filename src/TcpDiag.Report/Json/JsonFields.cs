using System;
using System.Collections.Generic;
using System.Text.Json;

namespace TcpDiag.Report.Json;

/// <summary>Fields of JSON objects that may be unknown: null then.</summary>
static class JsonFields
{
    const byte MicrosecondDecimals = 3;

    const byte SecondDecimals = 9;

    /// <summary>Writes a whole number.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">The number; null when not known.</param>
    public static void WriteNumberOrNull(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long? value)
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

    /// <summary>Writes a number.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">The number; null when not known.</param>
    public static void WriteNumberOrNull(this Utf8JsonWriter json, ReadOnlySpan<byte> name, double? value)
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

    /// <summary>Writes a time in microseconds.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="name">Name of the field.</param>
    /// <param name="nanoseconds">The time; null when not known.</param>
    public static void WriteMicroseconds(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long? nanoseconds) =>
        json.WriteDecimalOrNull(name, nanoseconds, MicrosecondDecimals);

    /// <summary>Writes a time in seconds.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="name">Name of the field.</param>
    /// <param name="nanoseconds">The time; null when not known.</param>
    public static void WriteSeconds(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long? nanoseconds) =>
        json.WriteDecimalOrNull(name, nanoseconds, SecondDecimals);

    // Exact, without an exponent, and at half the cost of finding the shortest text of a double.
    static void WriteDecimalOrNull(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long? digits, byte decimals)
    {
        if (digits is not { } known)
        {
            json.WriteNull(name);
            return;
        }

        while (decimals > 0 && known % 10 == 0)
        {
            known /= 10;
            decimals--;
        }

        if (decimals == 0)
        {
            json.WriteNumber(name, known);
        }
        else
        {
            ulong size = known < 0 ? unchecked(0 - (ulong)known) : (ulong)known;
            json.WriteNumber(name, new decimal(unchecked((int)size), (int)(size >> 32), 0, known < 0, decimals));
        }
    }

    /// <summary>Writes an object.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">What it is made of; null when not known.</param>
    /// <param name="writeFields">Writes its fields.</param>
    public static void WriteObjectOrNull<T>(this Utf8JsonWriter json, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> writeFields)
        where T : class
    {
        if (value is null)
        {
            json.WriteNull(name);
            return;
        }

        json.WriteStartObject(name);
        writeFields(json, value);
        json.WriteEndObject();
    }

    /// <inheritdoc cref="WriteObjectOrNull{T}(Utf8JsonWriter, ReadOnlySpan{byte}, T, Action{Utf8JsonWriter, T})"/>
    public static void WriteObjectOrNull<T>(this Utf8JsonWriter json, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> writeFields)
        where T : struct
    {
        if (value is not { } known)
        {
            json.WriteNull(name);
            return;
        }

        json.WriteStartObject(name);
        writeFields(json, known);
        json.WriteEndObject();
    }

    /// <summary>Writes a list of texts.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="name">Name of the field.</param>
    /// <param name="texts">The texts.</param>
    public static void WriteStrings(this Utf8JsonWriter json, ReadOnlySpan<byte> name, IReadOnlyList<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }
}
