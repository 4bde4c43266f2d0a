using System;
using System.Linq;
using System.Text;
using TcpDiag.Report.Comparisons;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Report.Html;

/// <summary>The ratio of each pair, in the order of its iterations, beside the interval of all of them.</summary>
static class PairPlot
{
    const double Width = 360;
    const double Height = 180;
    const double Top = 26;
    const double Bottom = 150;
    const double Left = 10;
    const double Length = 340;

    /// <summary>Draws a cell; empty without pairs.</summary>
    public static string Of(Comparison comparison, CellComparison cell)
    {
        if (cell.Pairs.Count == 0)
        {
            return string.Empty;
        }

        Metric metric = comparison.Primary.Metric;
        (RunPair Pair, double Ratio)[] pairs = [.. cell.Pairs.OrderBy(pair => pair.A.Iteration).Select(pair => (pair, RatioOf(pair, metric)))];
        RatioScale scale = new([.. pairs.Select(pair => new Interval(pair.Ratio, pair.Ratio)), cell.Judgement.Interval], Length);
        StringBuilder plot = new($"<figure>{Svg.Open(Width, Height, "Ratio of each pair")}");
        plot.Append(Band(scale, "margin", new Interval(1 / (1 + comparison.Settings.Margin), 1 + comparison.Settings.Margin)));
        plot.Append(Band(scale, "band moved", cell.Judgement.Interval));
        plot.Append(Svg.Line("one", (At(scale, 1), Top), (At(scale, 1), Bottom)));
        foreach (double tick in scale.Ticks)
        {
            plot.Append(Svg.Text("middle", Math.Clamp(At(scale, tick), 18, Width - 18), Bottom + 16, ComparisonWords.Ratio(tick)));
        }

        Explanation? why = comparison.Explanations.FirstOrDefault(explanation => ReferenceEquals(explanation.Cell, cell));
        plot.Append(Dots(pairs, scale, why?.Best));
        string best = why is null ? string.Empty : "; the ring shows it best";
        return plot.Append($"</svg><figcaption>B/A of each pair, the first iteration above, and its 95 % interval{best}</figcaption></figure>").ToString();
    }

    static string Dots((RunPair Pair, double Ratio)[] pairs, RatioScale scale, RunPair? best)
    {
        StringBuilder dots = new();
        for (int i = 0; i < pairs.Length; i++)
        {
            (RunPair pair, double ratio) = pairs[i];
            double y = Top + 6 + ((Bottom - Top - 12) * (i + 0.5) / pairs.Length);
            string end = pair is { A.End: RunEnd.Complete, B.End: RunEnd.Complete } ? "dot" : "dot cut";
            string title = FormattableString.Invariant($"iteration {pair.A.Iteration}, seed {pair.A.Seed}: {ComparisonWords.Ratio(ratio)}");
            dots.Append(Svg.Circle(ReferenceEquals(pair, best) ? "dot best" : end, At(scale, ratio), y, 3.5, title));
        }

        return dots.ToString();
    }

    static string Band(RatioScale scale, string kind, Interval interval)
    {
        double low = At(scale, interval.Low);
        return Svg.Rect(kind, low, Top, At(scale, interval.High) - low, Bottom - Top);
    }

    static double At(RatioScale scale, double ratio) => Left + scale.X(ratio);

    static double RatioOf(RunPair pair, Metric metric) => Math.Exp((pair.B.LogOf(metric) ?? 0) - (pair.A.LogOf(metric) ?? 0));
}
