using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>A run of an experiment.</summary>
/// <param name="Head">The experiment.</param>
/// <param name="Set">The side.</param>
/// <param name="Cell">The conditions.</param>
/// <param name="Run">The run.</param>
/// <param name="Position">Its place in the cell, from 0.</param>
sealed record LabSubject(RowHead Head, RunSet Set, RunCell Cell, Run Run, int Position);

/// <summary>The table of runs of the lab and the simulator.</summary>
static class LabTable
{
    const double NanosPerSecond = 1e9;
    const double Millionths = 1e6;

    public static TableMap<LabSubject> Map { get; } = Add(new TableMap<LabSubject>("lab_run", "a run of the lab or the simulator that counts", row => row.Head)
        .Key("side", row => row.Set.Side ?? string.Empty, "side of the experiment")
        .Key("cell", row => row.Cell.Name, "name of its conditions")
        .Key("position", row => row.Position, "its place in the cell, from 0")
        .Text("path", row => Path.GetFullPath(row.Set.Path), "result directory")
        .Text("conditions", row => ConditionsOf(row.Cell), "path and flow")
        .Number("iteration", row => row.Run.Iteration, "which repetition")
        .Text("seed", row => row.Run.Seed?.ToString(CultureInfo.InvariantCulture), "seed of the path")
        .Word("end", row => Names.Of(row.Run.End), "complete, cutShort, reset"));

    /// <summary>Makes the rows of an experiment.</summary>
    /// <param name="path">Its result directory.</param>
    /// <param name="sides">Its sides.</param>
    /// <returns>The result; its source is the SHA-256 of the directory's <c>run.json</c>.</returns>
    public static ResultRows Of(string path, IReadOnlyList<RunSet> sides)
    {
        string file = FileOf(path);
        string source = RecordingFile.Of(file).Sha256;
        long written = (File.GetLastWriteTimeUtc(file) - DateTime.UnixEpoch).Ticks * 100;
        string? kernel = sides.Select(side => side.Kernel).FirstOrDefault();
        var head = new RowHead(source, written, null, null, PlatformOf(kernel), kernel, null);
        IEnumerable<LabSubject> runs =
            from side in sides
            from cell in side.Cells
            from run in cell.Runs.Select((run, position) => (run, position))
            select new LabSubject(head with { Build = side.Kernel }, side, cell, run.run, run.position);
        return new(ResultKind.Lab, head, RecordingRows.ProgramVersion, [Map.Rows(runs)]);
    }

    /// <summary>The conditions of a cell in words.</summary>
    public static string ConditionsOf(RunCell cell) => Setting.Join(cell.Conditions);

    /// <summary>The file of a result directory, which may be named itself.</summary>
    public static string FileOf(string path) => Directory.Exists(path) ? Path.Combine(path, "run.json") : path;

    // What schema 3 has columns for.
    static IEnumerable<Metric> Stored =>
        [Metric.Goodput, Metric.CompletionTime, Metric.Retransmissions, Metric.Needless, Metric.Timeouts, Metric.RttUnderLoad, .. Metric.TimeInLimits];

    static string? PlatformOf(string? kernel) => kernel is null ? null : kernel.Contains("Windows", StringComparison.OrdinalIgnoreCase) ? "windows" : "linux";

    static TableMap<LabSubject> Add(TableMap<LabSubject> map)
    {
        foreach (Metric metric in Stored)
        {
            string name = metric.Name.Replace('-', '_');
            (string unit, double factor) = metric.Unit switch
            {
                MetricUnit.BitsPerSecond => ("_bps", 1),
                MetricUnit.Seconds => ("_ns", NanosPerSecond),
                MetricUnit.Share => ("_ppm", Millionths),
                _ => (string.Empty, 1.0),
            };
            map.Rounded(name + unit, row => row.Run.Figures.TryGetValue(metric, out double figure) ? figure * factor : null, metric.Title);
        }

        return map;
    }
}

/// <summary>Makes the rows of experiments and of their comparisons.</summary>
public static class ExperimentRows
{
    /// <summary>The rows of an experiment's runs.</summary>
    /// <param name="path">Its result directory.</param>
    /// <returns>The result.</returns>
    /// <exception cref="RunSetException">It is damaged.</exception>
    public static ResultRows Of(string path) => LabTable.Of(path, LabResultReader.Read(path));

    /// <summary>The rows of a comparison.</summary>
    /// <param name="comparison">The comparison.</param>
    /// <param name="comparedNanos">When it was made, nanoseconds since the Unix epoch.</param>
    /// <returns>The result.</returns>
    public static ResultRows Of(Comparison comparison, long comparedNanos) => ComparisonTable.Of(comparison, comparedNanos);
}
