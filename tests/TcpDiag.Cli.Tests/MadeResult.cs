using System.IO;
using System.Linq;
using System.Text.Json;

namespace TcpDiag.Cli.Tests;

/// <summary>Result directories of an experiment that never was.</summary>
static class MadeResult
{
    /// <summary>One cell of runs without seeds.</summary>
    /// <param name="parent">Where the directory is made.</param>
    /// <param name="name">What it is called.</param>
    /// <param name="sides">The sides, and the goodput of their runs as a JSON list.</param>
    /// <returns>The directory.</returns>
    public static string Save(string parent, string name, params (string Side, string Goodput)[] sides)
    {
        string folder = Directory.CreateDirectory(Path.Combine(parent, name)).FullName;
        string names = string.Join(',', sides.Select(side => $$"""{"name":"{{side.Side}}","stack":"adaptive","path":[],"flow":[] }"""));
        string results = string.Join(',', sides.SelectMany(side => JsonDocument.Parse(side.Goodput).RootElement.EnumerateArray().Select(rate =>
            $$"""{"cell":"001","side":"{{side.Side}}","fault":null,"goodputBitsPerSecond":{{rate}} }""")));
        File.WriteAllText(
            Path.Combine(folder, "run.json"),
            $$"""{"schema":"tcpdiag/lab/1","matrix":{"path":[{"name":"rtt","values":["25ms"]}],"flow":[],"sides":[{{names}}]},"scale":1,"kernel":"6.18","isComplete":true,"results":[{{results}}]}""");
        return folder;
    }
}
