using System.Globalization;
using System.Linq;
using System.Text;

namespace TcpDiag.Truth;

/// <summary>How often what was true was taken for what.</summary>
/// <param name="rows">What was true.</param>
/// <param name="columns">What it was taken for.</param>
public sealed class Confusion(string[] rows, string[] columns)
{
    readonly long[,] _counts = new long[rows.Length, columns.Length];

    /// <summary>Counts a case.</summary>
    /// <param name="row">What was true.</param>
    /// <param name="column">What it was taken for.</param>
    public void Add(int row, int column) => _counts[row, column]++;

    /// <summary>Cases of some rows and columns.</summary>
    /// <param name="ofRows">The rows.</param>
    /// <param name="ofColumns">The columns.</param>
    /// <returns>Their sum.</returns>
    public long Sum(int[] ofRows, int[] ofColumns) => ofRows.Sum(row => ofColumns.Sum(column => _counts[row, column]));

    /// <summary>The matrix as a Markdown table.</summary>
    /// <param name="title">What stands above the rows' names.</param>
    /// <returns>Lines.</returns>
    public string ToMarkdown(string title)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"| {title} | {string.Join(" | ", columns)} |\n|---|{string.Concat(columns.Select(_ => "---|"))}\n");
        for (int row = 0; row < rows.Length; row++)
        {
            text.Append(CultureInfo.InvariantCulture, $"| {rows[row]} | {string.Join(" | ", columns.Select((_, column) => _counts[row, column]))} |\n");
        }

        return text.ToString();
    }
}
