using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Scores.Comparisons;

namespace TcpDiag.Report.Json;

/// <summary>Writes the JSON document of a matrix.</summary>
public static class MatrixJson
{
    /// <summary>Writes the document.</summary>
    public static void Write(TextWriter output, BuildMatrix matrix)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(matrix);
        output.WriteLine(JsonSerializer.Serialize(ToDocument(matrix), MatrixJsonContext.Default.MatrixDocument));
    }

    static MatrixDocument ToDocument(BuildMatrix matrix) => new(
        "tcpdiag/matrix/1",
        matrix.Settings.Metric.Name,
        ComparisonJson.NameOf(matrix.Settings.Metric.Unit),
        matrix.Settings.Margin,
        ComparisonSettings.Level,
        matrix.HasRegression,
        Entry(matrix.Base),
        [.. matrix.Builds.Select(Entry)],
        [.. matrix.Rows.Select(row => Entry(matrix, row))]);

    static MatrixBuildEntry Entry(MatrixBuild build) => new(
        build.Name,
        ComparisonJson.Entry(build.Set),
        build.Overall is { } overall ? ComparisonJson.Entry(overall) : null,
        [.. build.LeftOut.Select(ComparisonJson.Entry)]);

    static MatrixRowEntry Entry(BuildMatrix matrix, MatrixRow row) => new(
        ComparisonJson.Entries(row.Base.Conditions),
        row.Base.Runs.Count,
        row.Base.VoidRuns,
        row.Median,
        PublishedRatios.Of(matrix.Settings.Metric, row.Base),
        [.. row.Cells.Select((cell, index) => cell is null ? null : Entry(matrix.Builds[index].Name, cell))]);

    static MatrixCellEntry Entry(string build, CellComparison cell) => new(
        build, cell.B.Name, cell.B.Runs.Count, cell.B.VoidRuns, cell.CensoredB, cell.Pairs.Count, cell.MedianB, ComparisonJson.Entry(cell.Judgement));
}

/// <summary>The document of <c>tcpdiag matrix --json</c>, schema tcpdiag/matrix/1 (docs/schemas). Unknown values are null.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Metric">What was compared.</param>
/// <param name="Unit"><c>bitsPerSecond</c>, <c>seconds</c>, <c>share</c>, <c>count</c>.</param>
/// <param name="Margin">The part that does not matter: ratios from 1 / (1 + margin) to 1 + margin are equal.</param>
/// <param name="Level">Of all tests together.</param>
/// <param name="HasRegression">Whether a build regressed, in a cell or over all of its cells.</param>
/// <param name="Base">The build that the others are set beside.</param>
/// <param name="Builds">The others.</param>
/// <param name="Rows">The conditions of the base.</param>
public sealed record MatrixDocument(
    string Schema,
    string Metric,
    string Unit,
    double Margin,
    double Level,
    bool HasRegression,
    MatrixBuildEntry Base,
    IReadOnlyList<MatrixBuildEntry> Builds,
    IReadOnlyList<MatrixRowEntry> Rows);

/// <summary>A build.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Set">Its runs.</param>
/// <param name="Overall">All conditions as one beside the base; null for the base, and without enough runs.</param>
/// <param name="LeftOut">What it and the base do not have in common: <c>a</c> is the base.</param>
public sealed record MatrixBuildEntry(string Name, ComparedSetEntry Set, JudgementEntry? Overall, IReadOnlyList<LeftOutEntry> LeftOut);

/// <summary>A set of conditions.</summary>
/// <param name="Conditions">The conditions.</param>
/// <param name="Runs">Runs of the base that count.</param>
/// <param name="VoidRuns">Runs of it that do not.</param>
/// <param name="Median">Their median, in the unit of the metric.</param>
/// <param name="Published">The ratio of a later build to an earlier one that the Windows TCP team published for these conditions, in words; null
/// without.</param>
/// <param name="Cells">Each build, in the order of builds; null where it has no runs here that count.</param>
public sealed record MatrixRowEntry(
    IReadOnlyList<SettingEntry> Conditions, int Runs, int VoidRuns, double? Median, string? Published, IReadOnlyList<MatrixCellEntry?> Cells);

/// <summary>A build under conditions.</summary>
/// <param name="Build">Its name.</param>
/// <param name="Cell">What its result directory calls them.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
/// <param name="CensoredRuns">Runs that count, but were cut short or reset.</param>
/// <param name="Pairs">Pairs that were compared; 0 without pairs.</param>
/// <param name="Median">Median of the metric, in its unit.</param>
/// <param name="Judgement">How it stands to the base.</param>
public sealed record MatrixCellEntry(
    string Build, string Cell, int Runs, int VoidRuns, int CensoredRuns, int Pairs, double? Median, JudgementEntry Judgement);

/// <summary>Serialises <see cref="MatrixDocument"/> without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(MatrixDocument))]
sealed partial class MatrixJsonContext : JsonSerializerContext;
