using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Truth.Scores;

/// <summary>How often the 95 % intervals of the scores hold the rate that is true of the sender on that path: that of all its runs together.</summary>
public static class CalibrationTable
{
    // Where a sender always does one thing, an interval cannot miss it.
    const double Margin = 0.01;

    /// <summary>The table.</summary>
    /// <param name="rates">The rates of all runs.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(IReadOnlyList<CalibrationRate> rates)
    {
        StringBuilder text = new();
        text.Append("| component | senders and paths | intervals | hold the rate | of these between 1 and 99 % | hold it | width, median | senders over all paths, hold it |\n");
        text.Append("|---|--:|--:|--:|--:|--:|--:|--:|\n");
        Judged[] all = [.. rates.GroupBy(one => (one.Component, one.Sender, one.Path)).SelectMany(Judge)];
        Judged[] wide = [.. rates.GroupBy(one => (one.Component, one.Sender, string.Empty)).SelectMany(Judge)];
        foreach (bool isOfPath in (bool[])[false, true])
        {
            Judged[] own = [.. all.Where(one => ScoreComponent.IsOfPath(one.Component) == isOfPath)];
            foreach (IGrouping<string, Judged> group in own.GroupBy(one => one.Component, StringComparer.Ordinal).OrderBy(one => one.Key, StringComparer.Ordinal))
            {
                Append(text, group.Key, [.. group], [.. wide.Where(one => one.Component.Equals(group.Key, StringComparison.Ordinal))]);
            }

            Append(text, isOfPath ? "the path's as much, together" : "the sender's own, together", own,
                [.. wide.Where(one => ScoreComponent.IsOfPath(one.Component) == isOfPath)]);
        }

        Append(text, "together", all, wide);
        return text.ToString();
    }

    /// <summary>Senders and paths whose intervals hold least.</summary>
    public static IEnumerable<string> Worst(IReadOnlyList<CalibrationRate> rates) => rates.GroupBy(one => (one.Component, one.Sender, one.Path))
        .Select(group => (group.Key, Judged: Judge(group).ToArray()))
        .OrderBy(one => one.Judged.Average(judged => judged.Holds ? 1.0 : 0))
        .Take(40)
        .Select(one => FormattableString.Invariant(
            $"{one.Key.Component} {one.Key.Sender} {one.Key.Path}: {one.Judged.Average(judged => judged.Holds ? 100.0 : 0):0} % of {one.Judged.Length}, rate {one.Judged[0].Truth:0.000}, trials {one.Judged.Average(judged => judged.Trials):0}"));

    static void Append(StringBuilder text, string name, Judged[] all, Judged[] wide)
    {
        Judged[] inner = [.. all.Where(one => one.Truth is > Margin and < 1 - Margin)];
        text.Append(CultureInfo.InvariantCulture, $"| {name} | {all.DistinctBy(one => (one.Component, one.Group)).Count()} | {all.Length} | {Share(all)} | ");
        text.Append(CultureInfo.InvariantCulture, $"{inner.Length} | {Share(inner)} | {Width(inner)} | {Share(wide)} |\n");
    }

    static string Share(Judged[] all) => all.Length == 0 ? "" : FormattableString.Invariant($"{100.0 * all.Count(one => one.Holds) / all.Length:0.0} %");

    static string Width(Judged[] all) =>
        all.Length == 0 ? "" : FormattableString.Invariant($"{100 * all.Select(one => one.Width).Order().ElementAt(all.Length / 2):0} %");

    static IEnumerable<Judged> Judge(IGrouping<(string Component, string Sender, string Path), CalibrationRate> group)
    {
        double truth = group.Sum(one => one.Rate.Hits) / (double)group.Sum(one => one.Rate.Trials);
        return group.Select(one => new Judged(
            group.Key.Component, $"{group.Key.Sender} {group.Key.Path}", truth, one.Rate.Low <= truth && truth <= one.Rate.High, one.Rate.High - one.Rate.Low,
            one.Rate.Trials));
    }

    readonly record struct Judged(string Component, string Group, double Truth, bool Holds, double Width, long Trials);
}
