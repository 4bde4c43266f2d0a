using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace TcpDiag.SchemaGenerator;

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
