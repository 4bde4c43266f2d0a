using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace TcpDiag.Scores.Tests.RunSets;

/// <summary>Writes what the lab leaves: a matrix of round-trip times, the fields that comparing needs and some that it does not.</summary>
sealed class LabResult : IDisposable
{
    readonly List<string> _results = [];

    public string Folder { get; } = Directory.CreateTempSubdirectory("tcpdiag-compare").FullName;

    public string File => Path.Combine(Folder, "run.json");

    public string[] Rtts { get; init; } = ["25ms", "100ms"];

    public string[] Sides { get; init; } = ["old", "new"];

    public string Scale { get; init; } = "1";

    public LabResult Run(int cell, string side, double? goodput, string? fault = null)
    {
        string rate = goodput?.ToString(CultureInfo.InvariantCulture) ?? "null";
        string why = fault is null ? "null" : $"\"{fault}\"";
        _results.Add($$"""{"cell":"{{cell:D3}}-rtt","side":"{{side}}","iteration":1,"fault":{{why}},"goodputBitsPerSecond":{{rate}},"sender":{} }""");
        return this;
    }

    public LabResult Add(string run)
    {
        _results.Add(run);
        return this;
    }

    public LabResult Runs(int cell, string side, params double[] goodput)
    {
        Array.ForEach(goodput, rate => Run(cell, side, rate));
        return this;
    }

    public LabResult Save(bool isComplete = true)
    {
        string rtts = string.Join(',', Rtts.Select(rtt => $"\"{rtt}\""));
        string sides = string.Join(',', Sides.Select(
            side => $$"""{"name":"{{side}}","stack":"adaptive","path":[],"flow":[{"name":"send-buffer","value":"64kib"}] }"""));
        System.IO.File.WriteAllText(File, $$"""
            {"schema":"tcpdiag/lab/1","matrix":{"name":"m","description":"","iterations":5,
             "path":[{"name":"rate","values":["100mbit"]},{"name":"rtt","values":[{{rtts}}]},{"name":"loss","values":["none"]}],
             "flow":[{"name":"bytes","values":["3mb"]}],"sides":[{{sides}}]},
             "seed":1,"scale":{{Scale}},"kernel":"6.18","isComplete":{{(isComplete ? "true" : "false")}},"results":[{{string.Join(',', _results)}}]}
            """);
        return this;
    }

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
