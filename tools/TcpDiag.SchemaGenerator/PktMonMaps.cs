using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.SchemaGenerator;

/// <summary>The enumerations of PktMon (design/pktmon-enums.tsv: enum, value, hexadecimal, name) as value maps.</summary>
static class PktMonMaps
{
    public static Dictionary<string, ValueMap> Read(string path) => File.ReadLines(path)
        .Skip(1)
        .Select(line => line.Split('\t'))
        .GroupBy(columns => columns[0], StringComparer.Ordinal)
        .ToDictionary(group => group.Key, group => Create(group.Key, [.. group]), StringComparer.Ordinal);

    static ValueMap Create(string name, string[][] rows) => new(
        name,
        isBitMap: false,
        [.. rows.Select(row => uint.Parse(row[1], CultureInfo.InvariantCulture))],
        [.. rows.Select(row => WithoutPrefix(row[3]))]);

    // "PktMonDrop_NoMemory": the prefix repeats the name of the enumeration.
    static string WithoutPrefix(string text) => text[(text.IndexOf('_', StringComparison.Ordinal) + 1)..];
}
