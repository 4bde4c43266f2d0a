using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;

namespace TcpDiag.Scores.RunSets;

/// <summary>
/// Reads the results of <c>tcpdiag lab run</c> (docs/lab.md): one set of runs for each side of the experiment. A cell's conditions are found from the
/// number its name begins with: the matrix lists the axes, and the last one runs fastest.
/// </summary>
public static class LabResultReader
{
    /// <summary>Name of the result in its directory.</summary>
    internal const string RunFile = "run.json";

    const string Schema = "tcpdiag/lab/1";
    const string ScaleCondition = "scale";

    // A value that leaves the setting out.
    const string None = "none";

    /// <summary>Reads a result directory.</summary>
    /// <param name="path">The directory, or its <c>run.json</c>.</param>
    /// <returns>The sides, in the order of the experiment; at least one.</returns>
    /// <exception cref="RunSetException">There is no result, or it is damaged.</exception>
    public static IReadOnlyList<RunSet> Read(string path)
    {
        string file = Directory.Exists(path) ? Path.Combine(path, RunFile) : path;
        if (!File.Exists(file))
        {
            throw new RunSetException(Directory.Exists(path)
                ? $"{path}: expected {RunFile}, found none. Name the result directory of tcpdiag lab run (--out)."
                : $"{path}: expected the result directory of tcpdiag lab run, found nothing of that name.");
        }

        return Read(path, file, File.ReadAllText(file));
    }

    /// <summary>Reads a result that is not written yet.</summary>
    /// <param name="path">The directory it belongs to.</param>
    /// <param name="text">What its <c>run.json</c> would hold.</param>
    /// <returns>The sides, in the order of the experiment; at least one.</returns>
    /// <exception cref="RunSetException">It is no such text.</exception>
    public static IReadOnlyList<RunSet> ReadText(string path, string text) => Read(path, Path.Combine(path, RunFile), text);

    static IReadOnlyList<RunSet> Read(string path, string file, string text)
    {
        LabFile run = Parse(file, text);
        return [.. run.Matrix.Sides.Select(side => Side(path, file, run, side!))];
    }

    static LabFile Parse(string file, string text)
    {
        try
        {
            string? schema = JsonSerializer.Deserialize(text, LabFileJson.Default.LabFileHeader)?.Schema;
            if (!string.Equals(schema, Schema, StringComparison.Ordinal))
            {
                string found = schema is null ? "none" : $"'{schema}'";
                throw new RunSetException($"{file}: expected schema {Schema}, found {found}. Name the result directory of tcpdiag lab run.");
            }

            LabFile run = JsonSerializer.Deserialize(text, LabFileJson.Default.LabFile)!;
            Check(file, run);
            return run;
        }
        catch (JsonException wrong)
        {
            throw new RunSetException(
                $"{file}: expected a result of tcpdiag lab run, found damage: {wrong.Message} "
                + "Run the same experiment with the same --out again: finished runs are kept.");
        }
    }

    // What the types do not say.
    static void Check(string file, LabFile run)
    {
        bool hasNull = run.Results.Contains(null) || run.Matrix.Sides.Any(side => side is null || side.Path.Concat(side.Flow).Contains(null))
            || run.Matrix.Path.Concat(run.Matrix.Flow).Any(axis => axis is null || axis.Values.Count == 0 || axis.Values.Any(value => value is null));
        Require(!hasNull, file, "entries and values everywhere", "a list with null in it, or without values");
        Require(run.Matrix.Sides.Count > 0, file, "at least one side", "none");
        LabFile.ResultPart? absurd = run.Results.FirstOrDefault(result => result!.GoodputBitsPerSecond is < 0 or double.PositiveInfinity);
        Require(absurd is null, file, "goodput of 0 and more", Invariant($"{absurd?.GoodputBitsPerSecond}"));
        foreach (LabFile.ResultPart result in run.Results.Select(result => result!))
        {
            (string name, double least) = LabRuns.Smallest(result);
            Require(least >= 0, file, "figures of 0 and more", Invariant($"{name} of {least}"));
        }

        int most = run.Results.CountBy(result => (result!.Cell, result.Side)).Select(cell => cell.Value).DefaultIfEmpty(0).Max();
        Require(most <= RunCell.MaxRuns, file, Invariant($"at most {RunCell.MaxRuns} runs of a side in a cell"), Invariant($"{most}"));
        LabFile.ResultPart? stray = run.Results.FirstOrDefault(
            result => !run.Matrix.Sides.Any(side => string.Equals(side!.Name, result!.Side, StringComparison.Ordinal)));
        Require(stray is null, file, "runs of the experiment's sides", $"one of '{stray?.Side}'");
    }

    static RunSet Side(string path, string file, LabFile run, LabFile.SidePart side)
    {
        IEnumerable<IGrouping<string, LabFile.ResultPart>> cells = run.Results
            .Where(result => string.Equals(result!.Side, side.Name, StringComparison.Ordinal))
            .GroupBy(result => result!.Cell, result => result!, StringComparer.Ordinal);
        Setting[] settings = [new("stack", side.Stack), .. side.Path.Concat(side.Flow).Select(setting => setting!)];
        string system = Systems(cells.SelectMany(cell => cell)) ?? side.System ?? run.Kernel;
        return new RunSet(path, side.Name, settings, system, run.IsComplete, [.. cells.Select(cell => Cell(path, file, run, cell))]);
    }

    // Of both ends, with their revisions; several where the machine was upgraded in between. Null where the runs do not say.
    static string? Systems(IEnumerable<LabFile.ResultPart> results)
    {
        LabFile.ResultPart[] known = [.. results.Where(result => result.SenderSystem is not null)];
        string senders = string.Join(" and ", known.Select(result => result.SenderSystem).Distinct(StringComparer.Ordinal));
        string receivers = string.Join(" and ", known.Select(result => result.ReceiverSystem).OfType<string>().Distinct(StringComparer.Ordinal));
        return known.Length == 0 ? null : receivers.Length == 0 || string.Equals(senders, receivers, StringComparison.Ordinal) ? senders
            : $"{senders} to {receivers}";
    }

    static RunCell Cell(string path, string file, LabFile run, IGrouping<string, LabFile.ResultPart> runs)
    {
        string root = Directory.Exists(path) ? path : Path.GetDirectoryName(path) ?? string.Empty;
        Run[] valid = [.. runs.Where(result => result.Fault is null).Select(result => LabRuns.Of(root, result))];
        return new RunCell(runs.Key, Conditions(file, run, runs.Key), valid, runs.Count() - valid.Length);
    }

    static List<Setting> Conditions(string file, LabFile run, string cell)
    {
        LabFile.AxisPart[] axes = [.. run.Matrix.Path.Concat(run.Matrix.Flow).Select(axis => axis!)];
        long rest = Number(cell) - 1;
        List<Setting> conditions = [];
        for (int i = axes.Length - 1; i >= 0; i--)
        {
            string value = axes[i].Values[(int)(Math.Max(rest, 0) % axes[i].Values.Count)]!;
            rest = rest < 0 ? rest : rest / axes[i].Values.Count;
            if (value is not None)
            {
                conditions.Insert(0, new Setting(axes[i].Name, value));
            }
        }

        Require(rest == 0, file, "cells that begin with their number in the matrix", $"'{cell}'");
        conditions.Add(new Setting(ScaleCondition, Invariant($"{run.Scale}")));
        return conditions;
    }

    // 0 for what is no number from 1 on.
    static int Number(string cell)
    {
        string digits = string.Concat(cell.TakeWhile(char.IsAsciiDigit));
        return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0;
    }

    static void Require(bool holds, string file, string expected, string found)
    {
        if (!holds)
        {
            throw new RunSetException(
                $"{file}: expected {expected}, found {found}. "
                + "The file is damaged; run the same experiment with the same --out again: finished runs are kept.");
        }
    }

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
