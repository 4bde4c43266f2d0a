using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace TcpDiag.SchemaGenerator;

/// <summary>One line of an event list: provider, id, version, name(fields), opcode, keywords, task, level, channel, message.</summary>
sealed record EventRow(
    int Id, int Version, string Name, IReadOnlyList<EventRowField> Fields, string Opcode, string[] Keywords, string Task, byte Level)
{
    static readonly string[] Levels = [string.Empty, "Critical", "Error", "Warning", "Informational", "Verbose"];

    /// <summary>What two builds must agree on to share a variant.</summary>
    public string Identity => string.Join('|', Id, Version, Name, string.Join(',', Fields), Opcode, string.Join(' ', Keywords), Task, Level);

    /// <summary>Reads a list; a build that lacks the provider has none.</summary>
    public static IEnumerable<EventRow> ReadAll(string path) =>
        File.Exists(path) ? File.ReadLines(path).Skip(1).Select(Parse) : [];

    static EventRow Parse(string line)
    {
        string[] columns = line.TrimEnd('\r').Split('\t');
        int id = int.Parse(columns[1], CultureInfo.InvariantCulture);
        int version = int.Parse(columns[2], CultureInfo.InvariantCulture);
        int open = columns[3].IndexOf('(', StringComparison.Ordinal);
        string fields = columns[3][(open + 1)..^1];
        int level = Array.IndexOf(Levels, columns[7]);
        return new EventRow(
            id,
            version,
            CleanName(columns[3][..open], id, version),
            fields.Length == 0 ? [] : [.. fields.Split(", ").Select(ParseField)],
            columns[4].TrimEnd('.'),
            columns[5].Split(' ', StringSplitOptions.RemoveEmptyEntries),
            CleanName(columns[6], id: -1, version: -1),
            level < 0 ? throw new InvalidDataException($"{columns[7]}: no such level") : (byte)level);
    }

    static EventRowField ParseField(string text)
    {
        string[] parts = text.Split(' ');
        return new EventRowField(parts[0], parts[1]);
    }

    // The lists make names unique by appending id and version; "task_0" stands for no name at all.
    static string CleanName(string name, int id, int version)
    {
        name = TrimEnd(name, $"_V{version}");
        name = TrimEnd(name, id.ToString(CultureInfo.InvariantCulture));
        name = TrimEnd(name, ".");
        if (name.StartsWith("KERNEL_NETWORK_TASK_", StringComparison.Ordinal))
        {
            name = name["KERNEL_NETWORK_TASK_".Length..];
        }

        return name.StartsWith("task_0", StringComparison.Ordinal) ? string.Empty : name;
    }

    static string TrimEnd(string name, string end) =>
        name.EndsWith(end, StringComparison.Ordinal) && name.Length > end.Length ? name[..^end.Length] : name;
}

/// <summary>A field as the event lists show it.</summary>
sealed record EventRowField(string Type, string Name);

/// <summary>One folder of etw/builds, named like <c>22000-win11-21H2</c>.</summary>
sealed record BuildFolder(string Path, int Number, string Label)
{
    public static BuildFolder[] FindAll(string folder) =>
        [.. Directory.GetDirectories(folder).Select(Parse).OrderBy(build => build.Number)];

    public string FileOf(string provider) => System.IO.Path.Combine(Path, provider + ".tsv");

    static BuildFolder Parse(string path)
    {
        string[] parts = System.IO.Path.GetFileName(path).Split('-');
        string system = parts[1].Replace("win", "Windows ", StringComparison.Ordinal);
        return new BuildFolder(path, int.Parse(parts[0], CultureInfo.InvariantCulture), $"{system} {parts[2]}");
    }
}
