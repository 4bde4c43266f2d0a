using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Locate.Packets;
using TcpDiag.Locate.Results;
using TcpDiag.Report.Html;
using static TcpDiag.Report.Html.SharePlot;

namespace TcpDiag.Report.Locations;

/// <summary>The share of data packets up to each delay, a line for each step; the delays by powers of ten.</summary>
static class DelayPlot
{
    const int Places = 100;

    // Below that a capture does not resolve.
    const double MinNanos = 1_000;

    // In powers of ten: 5 % of the delay.
    const double MinSpan = 0.02;

    /// <summary>Draws a direction.</summary>
    public static string Of(LocatedDirection direction, string name)
    {
        double[][] delays = [.. direction.Steps.Select(Quantiles)];
        double low = Math.Log10(delays.SelectMany(step => step).DefaultIfEmpty(MinNanos).Min());
        double high = Math.Max(low + MinSpan, Math.Log10(delays.SelectMany(step => step).DefaultIfEmpty(MinNanos).Max()));
        StringBuilder plot = Open($"{name}: distribution of delays");
        Marks(plot, low, high);
        for (int i = 0; i < delays.Length; i++)
        {
            plot.Append(Line(delays[i], low, high, LocationStyle.ClassOf(i)));
        }

        string what = direction.Steps.All(step => step.IsTimed) ? "delay" : "delay, where clocks are not known above the least";
        return plot.Append($"</svg><figcaption>Share of data packets up to a {what}: {Legend(direction)}</figcaption></figure>").ToString();
    }

    /// <summary>The steps in their colours.</summary>
    public static string Legend(LocatedDirection direction) => string.Join(
        ", ", direction.Steps.Select((step, i) => $"<b class=\"{LocationStyle.ClassOf(i)}\">{LocationWords.Letters(step.From, step.To)}</b>"));

    static double[] Quantiles(LocatedStep step)
    {
        DelayHistogram delays = step.Data.Delays;
        long least = step.IsTimed ? 0 : delays.Min;
        return delays.Count == 0 ? [] : [.. Enumerable.Range(0, Places + 1).Select(i => Math.Max(MinNanos, delays.Quantile((double)i / Places) - least))];
    }

    // A mark at each power of ten inside, or at the ends and between where there is none.
    static void Marks(StringBuilder plot, double low, double high)
    {
        IEnumerable<double> powers = Enumerable.Range((int)Math.Ceiling(low), Math.Max(0, (int)Math.Floor(high) - (int)Math.Ceiling(low) + 1))
            .Select(p => (double)p);
        double[] marks = powers.Any() ? [.. powers] : [low, (low + high) / 2, high];
        foreach (double mark in marks)
        {
            double x = X(mark, low, high);
            string kind = x > Right - 24 ? "end" : x < Left + 24 ? "begin" : "middle";
            plot.Append(Svg.Line("grid", (x, Top), (x, Bottom))).Append(Svg.Text(kind, x, Bottom + 16, LocationWords.Delay((long)Math.Pow(10, mark))));
        }
    }

    static string Line(double[] delays, double low, double high, string kind)
    {
        if (delays.Length == 0)
        {
            return string.Empty;
        }

        StringBuilder path = new(FormattableString.Invariant($"M{X(Math.Log10(delays[0]), low, high):0.#} {Bottom}"));
        for (int i = 0; i < delays.Length; i++)
        {
            path.Append(FormattableString.Invariant($"L{X(Math.Log10(delays[i]), low, high):0.#} {Y((double)i / (delays.Length - 1)):0.#}"));
        }

        return $"<path class=\"line {kind}\" d=\"{path}H{FormattableString.Invariant($"{Right}")}\"/>";
    }
}
