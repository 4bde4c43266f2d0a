using System;
using System.Collections.Generic;
using System.Text.Json;

namespace TcpDiag.Report.Json;

/// <summary>
/// What the documents write and <see cref="Utf8JsonWriter"/> does not have: numbers that may be unknown, and times as exact decimal fractions.
/// </summary>
static class JsonFormats
{
    const int MicrosecondDecimals = 3; // of nanoseconds
    const int SecondDecimals = 9;

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

    /// <summary>Writes a number in the fewest digits that identify it, or null.</summary>
    public static void WriteNumber(this Utf8JsonWriter json, ReadOnlySpan<byte> name, double? value)
    {
        if (value is not { } known)
        {
            json.WriteNull(name);
        }
        else if (BitConverter.DoubleToInt64Bits(known) == 0)
        {
            json.WriteNumber(name, 0); // most shares are zero, and an integer is formatted faster
        }
        else
        {
            json.WriteNumber(name, known);
        }
    }

    /// <summary>Writes a time in microseconds, or null.</summary>
    public static void WriteMicroseconds(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long? nanoseconds) =>
        WriteDecimal(json, name, nanoseconds, MicrosecondDecimals);

    /// <summary>Writes a time in seconds, or null.</summary>
    public static void WriteSeconds(this Utf8JsonWriter json, ReadOnlySpan<byte> name, long? nanoseconds) =>
        WriteDecimal(json, name, nanoseconds, SecondDecimals);

    /// <summary>Writes a word, or null where it is empty.</summary>
    public static void WriteWord(this Utf8JsonWriter json, ReadOnlySpan<byte> name, ReadOnlySpan<byte> ascii)
    {
        if (ascii.IsEmpty)
        {
            json.WriteNull(name);
        }
        else
        {
            json.WriteString(name, ascii);
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

    // Exact, where a double of the quotient would not be; without an exponent and without zeros at its end.
    static void WriteDecimal(Utf8JsonWriter json, ReadOnlySpan<byte> name, long? digits, int decimals)
    {
        if (digits is not { } known)
        {
            json.WriteNull(name);
            return;
        }

        if (known == 0)
        {
            json.WriteNumber(name, 0);
            return;
        }

        ulong magnitude = known < 0 ? 0 - (ulong)known : (ulong)known;
        while (decimals > 0 && magnitude % 10 == 0)
        {
            magnitude /= 10;
            decimals--;
        }

        json.WriteNumber(name, new decimal((int)magnitude, (int)(magnitude >> 32), 0, known < 0, (byte)decimals));
    }
}
