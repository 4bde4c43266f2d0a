using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.RunSets;

/// <summary>All runs of one build: what is compared with another one.</summary>
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
        Cells = [.. sides.SelectMany(side => side.Cells.Select(cell => cell with { Conditions = [.. cell.Conditions, new Setting(SideCondition, side.Side ?? string.Empty)] }))],
    };
}
