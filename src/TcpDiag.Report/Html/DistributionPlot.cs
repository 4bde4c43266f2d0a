using System;
using System.Linq;
using System.Text;
using TcpDiag.Report.Comparisons;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using static TcpDiag.Report.Html.SharePlot;

namespace TcpDiag.Report.Html;

/// <summary>
/// The share of runs up to each figure, of both sides, with 95 % bands (Dvoretzky, Kiefer, Wolfowitz; Massart 1990). Runs that did not come to their end
/// lie beyond the drawing, on the worse side.
/// </summary>
static class DistributionPlot
{
    // Runs that did not come to their end have moved by e¹⁰⁰⁰.
    const double Beyond = 500;

    /// <summary>Draws a cell.</summary>
    public static string Of(Metric metric, CellComparison cell)
    {
        double[] all = [.. Logs(metric, cell.A).Concat(Logs(metric, cell.B)).Where(log => Math.Abs(log) < Beyond)];
        if (all.Length == 0)
        {
            return string.Empty;
        }

        (double low, double high) = (all.Min(), all.Max());
        double slack = Math.Max(0.02, (high - low) * 0.04);
        (low, high) = (low - slack, high + slack);
        StringBuilder plot = Open($"Distribution of {metric.Title}");
        plot.Append(Svg.Text("begin", Left, Bottom + 16, At(metric, low)));
        plot.Append(Svg.Text("middle", (Left + Right) / 2, Bottom + 16, At(metric, (low + high) / 2)));
        plot.Append(Svg.Text("end", Right, Bottom + 16, At(metric, high)));
        plot.Append(Side(Logs(metric, cell.A), low, high, "a")).Append(Side(Logs(metric, cell.B), low, high, "b"));
        plot.Append($"</svg><figcaption>Share of runs up to a {HtmlText.Encode(metric.Title)}: ");
        return plot.Append("<b class=\"a\">A</b> and <b class=\"b\">B</b>, with 95 % bands</figcaption></figure>").ToString();
    }

    static string At(Metric metric, double log) => ComparisonWords.Figure(metric, Math.Max(0, Math.Exp(log) - metric.Start));

    static double[] Logs(Metric metric, RunCell cell) => [.. cell.Runs.Select(run => run.LogOf(metric)).OfType<double>().Order()];

    static string Side(double[] logs, double low, double high, string name)
    {
        if (logs.Length == 0)
        {
            return string.Empty;
        }

        double band = Math.Sqrt(Math.Log(2 / 0.05) / (2 * logs.Length));
        string around = $"<path class=\"band {name}\" d=\"{Steps(logs, low, high, band)}{StepsBack(logs, low, high, -band)}Z\"/>";
        return $"{around}<path class=\"line {name}\" d=\"{Steps(logs, low, high, 0)}\"/>";
    }

    // What lies beyond on the right is never reached; what lies beyond on the left is there from the beginning.
    static string Steps(double[] logs, double low, double high, double shift)
    {
        StringBuilder path = new(FormattableString.Invariant($"M{Left} {Y(shift):0.#}"));
        for (int i = 0; i < logs.Length && logs[i] < Beyond; i++)
        {
            path.Append(FormattableString.Invariant($"H{X(logs[i], low, high):0.#}V{Y(((i + 1.0) / logs.Length) + shift):0.#}"));
        }

        return path.Append(FormattableString.Invariant($"H{Right}")).ToString();
    }

    static string StepsBack(double[] logs, double low, double high, double shift)
    {
        int reached = Array.FindLastIndex(logs, log => log < Beyond) + 1;
        StringBuilder path = new(FormattableString.Invariant($"V{Y(((double)reached / logs.Length) + shift):0.#}"));
        for (int i = reached - 1; i >= 0; i--)
        {
            path.Append(FormattableString.Invariant($"H{X(logs[i], low, high):0.#}V{Y(((double)i / logs.Length) + shift):0.#}"));
        }

        return path.Append(FormattableString.Invariant($"H{Left}")).ToString();
    }
}

/// <summary>The frame of a drawing whose lines rise from none to all of the share up to each figure; lengths in the units of its view box.</summary>
static class SharePlot
{
    /// <summary>Left end of the lines.</summary>
    public const double Left = 34;

    /// <summary>Right end.</summary>
    public const double Right = 350;

    /// <summary>Where all are reached.</summary>
    public const double Top = 8;

    /// <summary>Where none is.</summary>
    public const double Bottom = 150;

    const double Width = 360;
    const double Height = 180;

    /// <summary>Begins a drawing: its frame, and the ends of the share.</summary>
    /// <param name="label">What it shows, encoded already.</param>
    public static StringBuilder Open(string label)
    {
        StringBuilder plot = new($"<figure>{Svg.Open(Width, Height, label)}");
        plot.Append(FormattableString.Invariant($"<path class=\"frame\" d=\"M{Left} {Top}V{Bottom}H{Right}\"/>"));
        return plot.Append(Svg.Text("end", Left - 4, Top + 8, "100%")).Append(Svg.Text("end", Left - 4, Bottom, "0"));
    }

    /// <summary>The height of a share, 0 … 1.</summary>
    public static double Y(double share) => Bottom - (Math.Clamp(share, 0, 1) * (Bottom - Top));

    /// <summary>The place of a figure between the smallest and the largest that are drawn.</summary>
    public static double X(double figure, double low, double high) => Left + (Math.Clamp((figure - low) / (high - low), 0, 1) * (Right - Left));
}
