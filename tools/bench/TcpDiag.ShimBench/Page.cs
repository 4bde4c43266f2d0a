using System;
using System.Globalization;
using System.IO;
using System.Text;

namespace TcpDiag.ShimBench;

/// <summary>The result as Markdown, printed as it grows and kept for a file.</summary>
sealed class Page
{
    readonly StringBuilder _text = new();

    /// <summary>Adds a line.</summary>
    public void Line(FormattableString line) => Line(line.ToString(CultureInfo.InvariantCulture));

    /// <summary>Adds a line.</summary>
    public void Line(string line = "")
    {
        Console.WriteLine(line);
        _text.Append(line).Append('\n');
    }

    /// <summary>Begins a table.</summary>
    public void Table(params string[] columns)
    {
        Line();
        Line("| " + string.Join(" | ", columns) + " |");
        Line("|" + string.Concat(Array.ConvertAll(columns, _ => "---|")));
    }

    /// <summary>Writes the page.</summary>
    public void Save(string path) => File.WriteAllText(path, _text.ToString());
}
