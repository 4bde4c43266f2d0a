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
    /// <summary>Whether the runs are recordings.</summary>
    public bool IsRecorded => Cells.Any(cell => cell.IsRecorded);

    /// <summary>Whether each run stands for a machine, of which there may be many recordings.</summary>
    public bool IsByMachine { get; init; }

    /// <summary>Files that are not among the runs, or only in part, each with the reason.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];

    /// <summary>The name of the condition that keeps sides apart when several are compared at once.</summary>
    public const string SideCondition = "side";

    /// <summary>Runs that count.</summary>
    public int Runs => Cells.Sum(cell => cell.Runs.Count);

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
/// <param name="Runs">The runs that count.</param>
/// <param name="VoidRuns">Runs that do not count: the emulated path was late, or a recorder lost something.</param>
public sealed record RunCell(string Name, IReadOnlyList<Setting> Conditions, IReadOnlyList<Run> Runs, int VoidRuns)
{
    /// <summary>Runs of a side that are compared at most: intervals take the square of it.</summary>
    public const int MaxRuns = 2000;

    /// <summary>Whether the runs are recordings: nobody set their conditions, they are classes of what was measured.</summary>
    public bool IsRecorded { get; init; }
}

/// <summary>A setting of an experiment.</summary>
/// <param name="Name">Its name, e.g. <c>rtt</c>.</param>
/// <param name="Value">Its value as it was written, e.g. <c>25ms</c>.</param>
public sealed record Setting(string Name, string Value)
{
    /// <summary>Several settings in a line.</summary>
    /// <param name="settings">The settings.</param>
    /// <returns>E.g. <c>rtt 25ms, bytes 32mb</c>.</returns>
    public static string Join(IEnumerable<Setting> settings) => string.Join(", ", settings.Select(setting => $"{setting.Name} {setting.Value}"));
}

/// <summary>Runs that cannot be compared: missing, damaged, or not what was expected.</summary>
/// <param name="message">Which file, what was expected, what was found, and what to do.</param>
public sealed class RunSetException(string message) : Exception(message);
