using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Report.Comparisons;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Report.Html;

/// <summary>One line for each condition: its ratio with the interval on a common axis, what does not matter shaded, and all of them together below.</summary>
static class ForestPlot
{
    /// <summary>Length of the axis.</summary>
    public const double Width = 300;

    const double Height = 22;

    /// <summary>Draws the metric asked for.</summary>
    /// <returns>A table with a drawing in each row.</returns>
    public static string Of(Comparison comparison, ConditionLabels labels)
    {
        MetricComparison metric = comparison.Primary;
        RatioScale scale = new([.. metric.Cells.Select(cell => cell.Judgement.Interval)], Width);
        StringBuilder rows = new("<div class=\"wide\"><table class=\"forest\"><thead><tr><th scope=\"col\">condition</th>");
        rows.Append($"<th scope=\"col\" class=\"axis\">{Axis(scale, "B/A")}</th><th scope=\"col\">B/A</th><th scope=\"col\">verdict</th></tr></thead><tbody>");
        for (int i = 0; i < metric.Cells.Count; i++)
        {
            string label = $"<a href=\"#cell-{i}\">{HtmlText.Encode(labels.Of(metric.Cells[i].A))}</a>";
            rows.Append(Row(comparison, scale, label, metric.Cells[i].Judgement));
        }

        if (metric.Cells.Count > 1 && metric.Overall is { } overall)
        {
            rows.Append(Row(comparison, scale, "all", overall));
        }

        return rows.Append("</tbody></table></div>").ToString();
    }

    static string Row(Comparison comparison, RatioScale scale, string condition, Judgement judgement)
    {
        string verdict = ComparisonMarkup.ClassOf(comparison.Primary.Metric, judgement);
        string drawing = Drawing(scale, judgement, comparison.Settings.Margin, verdict);
        string figures = $"{ComparisonWords.Ratio(judgement.Ratio)} <small>{ComparisonWords.Text(judgement.Interval)}</small>";
        string name = HtmlText.Encode(ComparisonWords.Name(judgement.Verdict));
        return $"<tr><th scope=\"row\">{condition}</th><td class=\"axis\">{drawing}</td><td>{figures}</td><td class=\"{verdict}\">{name}</td></tr>\n";
    }

    /// <summary>A ratio with its interval.</summary>
    /// <param name="scale">The axis, 300 wide.</param>
    /// <param name="judgement">The ratio and what follows.</param>
    /// <param name="margin">The part that does not matter.</param>
    /// <param name="verdict">The class that colours it.</param>
    public static string Drawing(RatioScale scale, Judgement judgement, double margin, string verdict)
    {
        string label = $"{ComparisonWords.Ratio(judgement.Ratio)}, {ComparisonWords.Text(judgement.Interval)}";
        double low = scale.X(judgement.Interval.Low);
        double high = Math.Max(low + 1, scale.X(judgement.Interval.High));
        double begin = scale.X(1 / (1 + margin));
        return Svg.Open(Width, Height, label)
            + Svg.Rect("margin", begin, 0, scale.X(1 + margin) - begin, Height)
            + Svg.Line("one", (scale.X(1), 0), (scale.X(1), Height))
            + Svg.Line($"interval {verdict}", (low, Height / 2), (high, Height / 2))
            + Svg.Circle($"mark {verdict}", scale.X(judgement.Ratio), Height / 2, 4)
            + "</svg>";
    }

    /// <summary>The numbers above the drawings.</summary>
    /// <param name="scale">The axis, 300 wide.</param>
    /// <param name="name">What it shows.</param>
    public static string Axis(RatioScale scale, string name)
    {
        IEnumerable<string> ticks = scale.Ticks.Select(tick => Svg.Text("middle", Math.Clamp(scale.X(tick), 12, Width - 12), 15, ComparisonWords.Ratio(tick)));
        return $"{Svg.Open(Width, 20, name)}{string.Concat(ticks)}</svg>";
    }
}

/// <summary>A logarithmic axis of ratios that holds 1 and all intervals. Where one is without end it leaves at the side.</summary>
sealed class RatioScale
{
    // A hundredfold is as good as endless in a drawing.
    const double Max = 4.6;
    const double TickWidth = 34;
    static readonly double[] Steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 5, 10, 20, 50, 100];

    readonly double _low;
    readonly double _high;
    readonly double _width;

    /// <summary>Finds the range.</summary>
    /// <param name="intervals">What must be seen.</param>
    /// <param name="width">Length of the axis.</param>
    public RatioScale(Interval[] intervals, double width)
    {
        double[] ratios = [.. intervals.Select(interval => interval.Low), .. intervals.Select(interval => interval.High)];
        double[] ends = [.. ratios.Select(ratio => Math.Clamp(Math.Log(ratio), -Max, Max))];
        double reach = Math.Max(0.1, ends.DefaultIfEmpty(0).Max(Math.Abs));
        _low = Math.Min(-reach / 4, ends.DefaultIfEmpty(0).Min()) * 1.08;
        _high = Math.Max(reach / 4, ends.DefaultIfEmpty(0).Max()) * 1.08;
        _width = width;
    }

    /// <summary>Round ratios of the axis, far enough from 1 and from each other.</summary>
    public IReadOnlyList<double> Ticks
    {
        get
        {
            List<double> ticks = [1];
            foreach (double step in Steps.Where(step => Math.Log(step) > _low && Math.Log(step) < _high))
            {
                if (ticks.TrueForAll(tick => Math.Abs(X(step) - X(tick)) > TickWidth))
                {
                    ticks.Add(step);
                }
            }

            return ticks;
        }
    }

    /// <summary>Where a ratio lies.</summary>
    public double X(double ratio) => Math.Clamp((Math.Log(ratio) - _low) / (_high - _low), 0, 1) * _width;
}
