using System;
using System.Globalization;
using System.IO;
using System.Text;

namespace TcpDiag.Report.Csv;

/// <summary>Puts a row of comma-separated values together (RFC 4180); numbers have a decimal point in every country, what is not known is empty.</summary>
sealed class CsvRow
{
    const decimal NanosecondsPerSecond = 1_000_000_000;
    const decimal NanosecondsPerMicrosecond = 1000;
    const string LineEnd = "\r\n"; // RFC 4180 §2

    static readonly char[] Quoted = [',', '"', '\r', '\n'];

    readonly StringBuilder _line = new();
    bool _hasCells;

    /// <summary>Adds text; what a spreadsheet would run as a formula is kept from it by an apostrophe.</summary>
    public CsvRow Text(string? text)
    {
        string shown = SafeText.OneLine(text ?? string.Empty);
        return Word(shown is ['=' or '+' or '-' or '@', ..] ? "'" + shown : shown);
    }

    /// <summary>Adds a word of our own, or nothing.</summary>
    public CsvRow Word(string? word)
    {
        string cell = word ?? string.Empty;
        _line.Append(_hasCells ? "," : string.Empty);
        _line.Append(cell.IndexOfAny(Quoted) >= 0 ? $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : cell);
        _hasCells = true;
        return this;
    }

    /// <summary>Adds a whole number.</summary>
    public CsvRow Number(long? number) => Word(number?.ToString(CultureInfo.InvariantCulture));

    /// <summary>Adds a number rounded to a few decimals.</summary>
    public CsvRow Number(double? number, string format) => Word(number?.ToString(format, CultureInfo.InvariantCulture));

    /// <summary>Adds a time in seconds, exactly.</summary>
    public CsvRow Seconds(long? nanoseconds) => Exact(nanoseconds / NanosecondsPerSecond);

    /// <summary>Adds a time in microseconds, exactly.</summary>
    public CsvRow Microseconds(long? nanoseconds) => Exact(nanoseconds / NanosecondsPerMicrosecond);

    /// <summary>Writes the row and begins another one.</summary>
    public void End(TextWriter output)
    {
        output.Write(_line.Append(LineEnd));
        _line.Clear();
        _hasCells = false;
    }

    // No zeros at the end: the decimal places of a quotient are those it needs.
    CsvRow Exact(decimal? number) => Word(number?.ToString("0.#########", CultureInfo.InvariantCulture));
}
