using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab.Matrix;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Lab.Tests;

public sealed class MatrixReaderTests
{
    const string Small = """
        name: small
        description: Two axes.
        iterations: 3
        path:
          rtt: [25ms, 50ms]
          loss: [none, 1/1000]
          rate: 100mbit
        flow:
          bytes: 32mb
        sides:
          a:
            stack: adaptive
          b:
            stack: not-adapting
            send-buffer: 8kib
            rate: 10mbit
        """;

    [Fact]
    public void Read_Matrix_TakesEverySetting()
    {
        LabMatrix matrix = MatrixReader.Read("small.yaml", Small);

        Assert.Equal(("small", "Two axes.", 3), (matrix.Name, matrix.Description, matrix.Iterations));
        Assert.Equal(["rtt", "loss", "rate"], matrix.Path.Select(axis => axis.Name));
        Assert.Equal(["25ms", "50ms"], matrix.Path[0].Values);
        Assert.Equal(("bytes", "32mb"), (matrix.Flow.Single().Name, matrix.Flow[0].Values.Single()));
        Assert.Equal([("a", "adaptive"), ("b", "not-adapting")], matrix.Sides.Select(side => (side.Name, side.Stack)));
        Assert.Equal([new LabOption("send-buffer", "8kib")], matrix.Sides[1].Flow);
        Assert.Equal([new LabOption("rate", "10mbit")], matrix.Sides[1].Path);
    }

    [Fact]
    public void Expand_TwoAxes_LastRunsFastestAndNoneIsLeftOut()
    {
        var cells = MatrixReader.Read("small.yaml", Small).Expand();

        Assert.Equal(
            ["001-rtt-25ms-loss-none", "002-rtt-25ms-loss-1-1000", "003-rtt-50ms-loss-none", "004-rtt-50ms-loss-1-1000"], cells.Select(cell => cell.Name));
        Assert.Equal([new LabOption("rtt", "25ms"), new LabOption("rate", "100mbit")], cells[0].Path);
        Assert.Equal([new LabOption("rtt", "50ms"), new LabOption("loss", "1/1000"), new LabOption("rate", "100mbit")], cells[3].Path);
        Assert.All(cells, cell => Assert.Equal([new LabOption("bytes", "32mb")], cell.Flow));
    }

    [Fact]
    public void Plan_SideWithAPath_ReplacesTheCells()
    {
        var plan = PlannedIteration.Plan(MatrixReader.Read("small.yaml", Small), seed: 7);

        Assert.Equal([new LabOption("rtt", "25ms"), new LabOption("rate", "100mbit")], plan[0].Path);
        Assert.Equal([new LabOption("rtt", "25ms"), new LabOption("rate", "10mbit")], plan[1].Path);
        Assert.Equal([new LabOption("bytes", "32mb"), new LabOption("send-buffer", "8kib")], plan[1].Flow);
    }

    [Fact]
    public void Plan_TwoSides_Interleaves()
    {
        var plan = PlannedIteration.Plan(MatrixReader.Read("small.yaml", Small), seed: 7);

        // 4 cells × 3 iterations × 2 sides.
        Assert.Equal(24, plan.Count);
        Assert.Equal(
            ["a/001", "b/001", "a/002", "b/002", "a/003", "b/003"],
            plan.Take(6).Select(planned => planned.Folder.Replace('\\', '/')["001-rtt-25ms-loss-none/".Length..]));
        Assert.Equal("002-rtt-25ms-loss-1-1000/a/001", plan[6].Folder.Replace('\\', '/'));
    }

    [Fact]
    public void Plan_Seeds_AreSharedByTheSidesOnly()
    {
        var plan = PlannedIteration.Plan(MatrixReader.Read("small.yaml", Small), seed: 7);

        Assert.All(plan.Chunk(2), pair => Assert.Equal(pair[0].Seed, pair[1].Seed));
        Assert.Equal(plan.Count / 2, plan.Select(planned => planned.Seed).Distinct().Count());
        Assert.Equal(
            plan,
            PlannedIteration.Plan(MatrixReader.Read("small.yaml", Small), seed: 7)
                .Select((planned, i) => planned with { Cell = plan[i].Cell, Side = plan[i].Side }));
        Assert.NotEqual(plan[0].Seed, PlannedIteration.Plan(MatrixReader.Read("small.yaml", Small), seed: 8)[0].Seed);
    }

    [Theory]
    [InlineData("paths: {}", "m.yaml:1:1: expected one of name, description, iterations, path, flow, capture, sides, found 'paths'.")]
    [InlineData("iterations: 0", "m.yaml:1:13: expected a number of iterations from 1 to 1000, found '0'.")]
    [InlineData("path: 3", "m.yaml:1:7: expected a mapping, found Scalar.")]
    [InlineData("path: {rtt: []}", "m.yaml:1:8: expected at least one value, found an empty list.")]
    [InlineData("path: {rtt: 1ms, rtt: 2ms}", "m.yaml:1:18: expected each name once, found 'rtt' again.")]
    [InlineData("name: x", "m.yaml: expected at least one side, found none.")]
    [InlineData("sides: {a/b: {}}", "m.yaml:1:9: expected a name of 1 to 40 letters, digits and -, not - in front, found 'a/b'.")]
    [InlineData("sides: {\"\": {}, \"001\": {}}", "m.yaml:1:9: expected a name of 1 to 40 letters, digits and -, not - in front, found ''.")]
    [InlineData("sides: {--json: {}}", "m.yaml:1:9: expected a name of 1 to 40 letters, digits and -, not - in front, found '--json'.")]
    [InlineData(
        "sides: {a2345678901234567890123456789012345678901: {}}",
        "m.yaml:1:9: expected a name of 1 to 40 letters, digits and -, not - in front, found 'a2345678901234567890123456789012345678901'.")]
    [InlineData("name: ../esc", "m.yaml:1:7: expected a name of 1 to 40 letters, digits and -, not - in front, found '../esc'.")]
    [InlineData("name: \"a\\e[31m\"", "m.yaml:1:7: expected a name of 1 to 40 letters, digits and -, not - in front, found 'a\u001b[31m'.")]
    [InlineData(
        "sides: {a: {stack: fast}}",
        "m.yaml:1:20: expected one of adaptive, ecn, fixed, no-timestamps, no-dsack, no-sack, not-adapting, found 'fast'.")]
    [InlineData("{capture: {snap: 10}, sides: {a: {}}}", "m.yaml:1:12: expected 64 to 65536 bytes, found '10'.")]
    [InlineData("{capture: {events: all}, sides: {a: {}}}", "m.yaml:1:12: expected both, sender or none, found 'all'.")]
    [InlineData(
        "sides: {a: {mss: 3}}",
        "m.yaml flow: mss: expected one of flows, bytes, write-size, bursts, pacing, congestion, send-buffer, receive-buffer, "
            + "read-rate, pause, close-after, client, family, lookup, limit, found 'mss'.")]
    [InlineData("sides: {a: {send-buffer: 1kb}}", "m.yaml flow: send-buffer: expected a buffer of 4kib to 1gib, found '1kb'.")]
    [InlineData("{path: {seed: 3}, sides: {a: {}}}", "m.yaml path:: expected settings of the path only, found 'seed'.")]
    [InlineData("name: &x y", "m.yaml:1:7: expected a value without anchor or tag, found 'y'.")]
    public void Read_WrongMatrix_SaysWhereAndWhat(string text, string message) =>
        Assert.Equal(message, Assert.Throws<ImpairmentException>(() => MatrixReader.Read("m.yaml", text)).Message);

    [Theory]
    [InlineData("dir/my matrix.yaml", "my-matrix")]
    [InlineData("\u001b[31m.yaml", "31m")]
    [InlineData("§.yaml", "matrix")]
    public void Read_NoName_IsThatOfTheFile(string file, string name) => Assert.Equal(name, MatrixReader.Read(file, "sides: {a: {}}").Name);

    [Fact]
    public void Read_CutAnywhere_IsAMatrixOrAnError()
    {
        for (int length = 0; length < Small.Length; length++)
        {
            string text = Small[..length];
            Exception? thrown = Record.Exception(() => MatrixReader.Read("m.yaml", text));
            Assert.True(thrown is null or ImpairmentException, $"{length}: {thrown}");
        }
    }

    [Fact]
    public void Presets_All_CanBeRead() => Assert.All(MatrixPresets.Names, name =>
    {
        LabMatrix matrix = MatrixReader.Read(name, MatrixPresets.FindText(name)!);
        Assert.Equal(name, matrix.Name);
        Assert.NotEmpty(matrix.Description);
    });

    [Fact]
    public void Schema_Settings_AreThoseOfTheReader()
    {
        using JsonDocument schema = JsonDocument.Parse(File.ReadAllText(ProjectFolder.PathOf("docs", "schemas", "lab-matrix.json")));
        JsonElement properties = schema.RootElement.GetProperty("properties");
        string[] path = [.. ImpairmentOptionsParser.Names.Except(["name", "description", "seed", "limit"])];
        Assert.Equal(FlowSettingsReader.Names, Names(properties.GetProperty("flow")));
        Assert.Equal(
            FlowSettingsReader.Names.Concat(path).Append("stack").Order(StringComparer.Ordinal),
            Names(properties.GetProperty("sides").GetProperty("additionalProperties")).Order(StringComparer.Ordinal));
        Assert.Equal(RecordingSettings.Names, Names(properties.GetProperty("capture")));
        Assert.Equal(
            ImpairmentOptionsParser.Names.Except(["name", "description", "seed"]).Order(StringComparer.Ordinal),
            Names(properties.GetProperty("path")).Order(StringComparer.Ordinal));

        static string[] Names(JsonElement element) => [.. element.GetProperty("properties").EnumerateObject().Select(property => property.Name)];
    }

    [Fact]
    public void FindText_NoSuchPreset_IsNull() => Assert.Null(MatrixPresets.FindText("no-such"));
}
