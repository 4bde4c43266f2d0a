using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace TcpDiag.Browser.Tests;

/// <summary>
/// The text of a PDF as Chromium writes it (ISO 32000-1 §9.10): glyphs in hexadecimal, and for each font a table of what they stand for. Blanks are left out,
/// since lines break anywhere.
/// </summary>
static partial class PdfText
{
    /// <summary>The text of all pages, without blanks.</summary>
    public static string Of(byte[] pdf)
    {
        Dictionary<int, string> objects = Objects(pdf);
        Dictionary<string, Dictionary<int, string>> fonts = objects.Values.SelectMany(body => FontName().Matches(body))
            .DistinctBy(font => font.Groups["name"].Value, StringComparer.Ordinal)
            .Where(font => ToUnicode().IsMatch(objects[Number(font, "object")]))
            .ToDictionary(font => font.Groups["name"].Value, font =>
            Table(objects[Number(ToUnicode().Match(objects[Number(font, "object")]), "object")]), StringComparer.Ordinal);
        var text = new StringBuilder();
        foreach (Match page in objects.Values.SelectMany(body => Contents().Matches(body)))
        {
            Append(text, objects[Number(page, "object")], fonts);
        }

        return string.Concat(text.ToString().Where(letter => !char.IsWhiteSpace(letter)));
    }

    // A stream follows its object unpacked, on a line of its own.
    static Dictionary<int, string> Objects(byte[] pdf)
    {
        string all = Encoding.Latin1.GetString(pdf);
        return Object().Matches(all).ToDictionary(found => Number(found, "number"), found =>
        {
            string body = found.Groups["body"].Value;
            int stream = body.IndexOf("stream\n", StringComparison.Ordinal);
            return stream < 0 || !body[..stream].Contains("/FlateDecode", StringComparison.Ordinal)
                ? body
                : body[..stream] + Unpack(Encoding.Latin1.GetBytes(body[(stream + "stream\n".Length)..]));
        });
    }

    static string Unpack(byte[] packed)
    {
        using var stream = new ZLibStream(new MemoryStream(packed), CompressionMode.Decompress);
        using var unpacked = new MemoryStream();
        stream.CopyTo(unpacked);
        return Encoding.Latin1.GetString(unpacked.ToArray());
    }

    static Dictionary<int, string> Table(string map)
    {
        Dictionary<int, string> table = [];
        foreach (Match section in Section().Matches(map))
        {
            foreach (Match entry in Entry().Matches(section.Groups["entries"].Value))
            {
                int[] values = [.. entry.Groups["value"].Captures.Select(
                    value => int.Parse(value.Value, NumberStyles.HexNumber, CultureInfo.InvariantCulture))];
                for (int glyph = values[0]; glyph <= values[^2]; glyph++)
                {
                    table[glyph] = char.ConvertFromUtf32(values[^1] + glyph - values[0]);
                }
            }
        }

        return table;
    }

    static void Append(StringBuilder text, string content, Dictionary<string, Dictionary<int, string>> fonts)
    {
        Dictionary<int, string> font = [];
        foreach (Match token in Token().Matches(content))
        {
            if (token.Groups["font"].Success)
            {
                font = fonts.GetValueOrDefault(token.Groups["font"].Value) ?? [];
                continue;
            }

            foreach (char[] glyph in token.Groups["glyphs"].Value.Chunk(4))
            {
                text.Append(font.GetValueOrDefault(int.Parse(glyph, NumberStyles.HexNumber, CultureInfo.InvariantCulture), "?"));
            }
        }
    }

    static int Number(Match match, string group) => int.Parse(match.Groups[group].ValueSpan, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"(?<=^|\n)(?<number>\d+) 0 obj\n(?<body>.*?)\nendobj", RegexOptions.Singleline | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Object();

    [GeneratedRegex(@"/(?<name>F\d+) (?<object>\d+) 0 R", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex FontName();

    [GeneratedRegex(@"/ToUnicode (?<object>\d+) 0 R", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex ToUnicode();

    [GeneratedRegex(@"/Contents (?<object>\d+) 0 R", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Contents();

    [GeneratedRegex(@"beginbf(char|range)\n(?<entries>.*?)endbf", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Section();

    [GeneratedRegex(@"(<(?<value>[0-9A-Fa-f]{4})> ?){2,3}", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Entry();

    [GeneratedRegex(@"/(?<font>F\d+) [\d.]+ Tf|<(?<glyphs>[0-9A-Fa-f]+)> Tj", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Token();
}
