using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Comparisons;

/// <summary>Names cells by the conditions in which they differ; what all compared cells share is listed once.</summary>
sealed class ConditionLabels
{
    // An experiment at full length needs no mention.
    static readonly Setting FullLength = new("scale", "1");

    // Needs no mention with a cell.
    readonly HashSet<Setting> _common;

    /// <summary>Finds what the compared cells have in common.</summary>
    public ConditionLabels(Comparison comparison)
        : this([.. comparison.Primary.Cells.Select(cell => cell.A)])
    {
    }

    /// <summary>Finds what cells have in common.</summary>
    public ConditionLabels(IReadOnlyList<RunCell> cells)
    {
        _common = cells.Count == 0 ? [] : [.. cells[0].Conditions];
        foreach (RunCell cell in cells)
        {
            _common.IntersectWith(cell.Conditions);
        }

        Common = string.Join(", ", _common.Where(setting => setting != FullLength).Select(Text));
        _common.Add(FullLength);
    }

    /// <summary>What all compared cells have in common; may be empty.</summary>
    public string Common { get; }

    /// <summary>A setting in words.</summary>
    /// <returns>E.g. <c>rtt 25ms</c>.</returns>
    public static string Text(Setting setting) => $"{setting.Name} {setting.Value}";

    /// <summary>What sets a cell apart.</summary>
    /// <returns>Its conditions; its name where it has none of its own.</returns>
    public string Of(RunCell cell)
    {
        string own = string.Join(", ", cell.Conditions.Where(setting => !_common.Contains(setting)).Select(Text));
        return own.Length > 0 ? own : cell.Name;
    }
}
