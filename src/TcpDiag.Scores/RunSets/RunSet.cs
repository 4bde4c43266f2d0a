using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.RunSets;

/// <summary>All runs of one build, to compare with those of another.</summary>
/// <param name="Path">Where they were read from.</param>
/// <param name="Side">Which side of the experiment; null where several were taken together.</param>
/// <param name="Settings">What sets this side apart from others of its experiment.</param>
/// <param name="Kernel">Release of the kernel it ran on.</param>
/// <param name="IsComplete">Whether the experiment was run to its end.</param>
/// <param name="Cells">The runs by conditions.</param>
public sealed record RunSet(string Path, string? Side, IReadOnlyList<Setting> Settings, string Kernel, bool IsComplete, IReadOnlyList<RunCell> Cells)
{
    /// <summary>The name of the condition that keeps sides apart when several are compared at once.</summary>
    public const string SideCondition = "side";

    /// <summary>Runs that count.</summary>
    public int Runs => Cells.Sum(cell => cell.GoodputBitsPerSecond.Count);

    /// <summary>Runs that do not.</summary>
    public int VoidRuns => Cells.Sum(cell => cell.VoidRuns);

    /// <summary>The sides of one experiment as one set, in which the side is a condition like any other.</summary>
    /// <param name="sides">At least one side, of one experiment.</param>
    /// <returns>The set.</returns>
    public static RunSet Unite(IReadOnlyList<RunSet> sides) => sides[0] with
    {
        Side = null,
        Settings = [],
        Cells = [.. sides.SelectMany(side => side.Cells.Select(cell => WithSide(cell, side.Side ?? string.Empty)))],
    };

    static RunCell WithSide(RunCell cell, string side) => cell with { Conditions = [.. cell.Conditions, new Setting(SideCondition, side)] };
}

/// <summary>The runs of one build under one set of conditions.</summary>
/// <param name="Name">What the result directory calls it.</param>
/// <param name="Conditions">The conditions: rate, round-trip time, size, buffer, … Their order says nothing.</param>
/// <param name="GoodputBitsPerSecond">Goodput of each run that counts, bit/s; 0 where nothing arrived.</param>
/// <param name="VoidRuns">Runs that do not count: the emulated path was late, or a recorder lost something.</param>
public sealed record RunCell(string Name, IReadOnlyList<Setting> Conditions, IReadOnlyList<double> GoodputBitsPerSecond, int VoidRuns);

/// <summary>A setting of an experiment.</summary>
/// <param name="Name">Its name, e.g. <c>rtt</c>.</param>
/// <param name="Value">Its value as it was written, e.g. <c>25ms</c>.</param>
public sealed record Setting(string Name, string Value);

/// <summary>The two sets that are compared; A is the baseline.</summary>
/// <param name="A">The one before.</param>
/// <param name="B">The one after.</param>
public sealed record RunSetPair(RunSet A, RunSet B)
{
    /// <summary>The two sides of one experiment.</summary>
    /// <param name="path">Its result directory.</param>
    /// <returns>The pair, in the order in which the experiment names them.</returns>
    /// <exception cref="RunSetException">It is damaged, or does not have two sides.</exception>
    public static RunSetPair Read(string path) => LabResultReader.Read(path) switch
    {
        [RunSet first, RunSet second] => new RunSetPair(first, second),
        { } sides => throw new RunSetException(
            $"{path}: expected two sides, found {sides.Count} ({Names(sides)}). Name two result directories, or one of two sides."),
    };

    /// <summary>Two experiments. Where each has one side, these are compared, whatever their names; otherwise sides of the same name are.</summary>
    /// <param name="pathA">Result directory of the one.</param>
    /// <param name="pathB">Result directory of the other.</param>
    /// <returns>The pair.</returns>
    /// <exception cref="RunSetException">One is damaged.</exception>
    public static RunSetPair Read(string pathA, string pathB)
    {
        IReadOnlyList<RunSet> a = LabResultReader.Read(pathA);
        IReadOnlyList<RunSet> b = LabResultReader.Read(pathB);
        return a.Count == 1 && b.Count == 1 ? new RunSetPair(a[0], b[0]) : new RunSetPair(RunSet.Unite(a), RunSet.Unite(b));
    }

    static string Names(IEnumerable<RunSet> sides) => string.Join(", ", sides.Select(side => side.Side));
}

/// <summary>Runs that cannot be compared: missing, damaged, or not what was expected.</summary>
/// <param name="message">Which file, what was expected, what was found, and what to do.</param>
public sealed class RunSetException(string message) : Exception(message);
