using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Wire;

namespace TcpDiag.Report.Html;

/// <summary>
/// The scores of a trace as a section of the page: what each sender does in words, its rates with their intervals, and the worst places in the graphs.
/// </summary>
sealed class ScoresMarkup
{
    const int MaxCards = 20;
    const double NanosecondsPerSecond = 1e9;

    // What is shown around a place: enough to see what came before and after.
    const long MarginNanos = 100_000_000;

    readonly StringBuilder _page = new();
    readonly TraceTime _start;

    ScoresMarkup(TraceTime start) => _start = start;

    /// <summary>Makes the section.</summary>
    /// <param name="scores">The scores.</param>
    /// <param name="expected">What a build is expected to do; null where none was named.</param>
    public static string Of(TraceScores scores, BuildExpectation? expected)
    {
        ScoresMarkup markup = new(scores.Analysis.Start);
        markup.Add($"<section aria-labelledby=\"scores-heading\">\n<h2 id=\"scores-heading\">Scores</h2>\n");
        Scorecard[] scored = [.. scores.Cards.Where(card => card.NotScored is null)];
        foreach (Scorecard card in scored.Take(MaxCards))
        {
            markup.Append(card, expected);
        }

        if (scored.Length > MaxCards)
        {
            markup.Add($"<p>{Quantity.Count(scored.Length - MaxCards, "sender")} more: choose with --connection, --host or --port.</p>\n");
        }

        markup.AppendNotScored(scores);
        markup.Add($"</section>\n");
        return markup._page.ToString();
    }

    void Append(Scorecard card, BuildExpectation? expected)
    {
        Add($"<article class=\"finding scored\">\n<h3><a href=\"{LinkTo(card)}\">{HtmlText.Encode($"{card.Sender} → {card.Receiver}")}</a></h3>\n");
        foreach (string sentence in ScoreWords.Of(card))
        {
            Add($"<p>{HtmlText.Encode(sentence)}</p>\n");
        }

        if (expected is not null)
        {
            AppendExpectation(card, expected);
        }

        foreach ((ScoreFamily family, string title) in ScoreWords.Families)
        {
            ScoreComponent[] components = [.. card.Components.Where(component => component.Family == family)];
            if (components.Length > 0)
            {
                AppendFamily(card, title, components, FamilyFigure.Of(components, family));
            }
        }

        Add($"</article>\n");
    }

    void AppendExpectation(Scorecard card, BuildExpectation expected)
    {
        Add($"<p>Build {expected.Build}, expected as {HtmlText.Encode(expected.Line)}:</p>\n<ul>\n");
        foreach (ExpectedTrait trait in expected.Compare(card))
        {
            string assumed = trait.IsAssumed ? " (assumed, not documented)" : string.Empty;
            Add($"<li>{HtmlText.Encode($"{trait.What}: expected {trait.Expected}{assumed}, observed {trait.Observed}: {trait.VerdictText}")}</li>\n");
        }

        Add($"</ul>\n");
    }

    void AppendFamily(Scorecard card, string title, ScoreComponent[] components, FamilyFigure? figure)
    {
        ScoreComponent[] exercised = [.. components.Where(component => component.Rate is not null)];
        Add($"<h4>{HtmlText.Encode(title)}</h4>\n");
        if (exercised.Length > 0)
        {
            Add($"<table class=\"rates\"><thead><tr><th>what is counted</th><th colspan=\"2\">rate, 95 %</th><th>n</th><th>clause</th>");
            Add($"<th>worst places</th></tr></thead><tbody>\n");
            Array.ForEach(exercised, component => AppendRate(card, component));
            Add($"</tbody></table>\n");
        }

        if (exercised.Any(component => component.DependsOnPath))
        {
            Add($"<p>{HtmlText.Encode(ScoreWords.OfPath)}</p>\n");
        }

        if (figure is not null)
        {
            Add($"<p>{HtmlText.Encode(ScoreWords.Of(figure))}</p>\n");
        }

        if (exercised.Length < components.Length)
        {
            Add($"<details><summary>Not exercised: {components.Length - exercised.Length} of {components.Length}</summary>\n<ul>\n");
            foreach (ScoreComponent component in components.Where(component => component.Rate is null))
            {
                Add($"<li>{HtmlText.Encode($"{component.Name}: {component.NotExercised}")}</li>\n");
            }

            Add($"</ul></details>\n");
        }
    }

    void AppendRate(Scorecard card, ScoreComponent component)
    {
        Proportion rate = component.Rate!.Value;
        Add($"<tr><td>{HtmlText.Encode(ScoreWords.NameOf(component))}");
        if (component.Evidence.Length > 0)
        {
            Add($"<span class=\"own\">{HtmlText.Encode(component.Evidence)}</span>");
        }

        Add($"</td><td>{Svg(rate)}</td><td class=\"value\">{100 * rate.Rate:0}&nbsp;% ({100 * rate.Low:0}–{100 * rate.High:0})</td>");
        Add($"<td class=\"n\">{rate.Trials}</td>");
        Add($"<td class=\"value\">{HtmlText.Encode(component.Clause)}</td><td class=\"at\">");
        Add($"{string.Join("<br>", component.Worst.Select(place => Link(card, place)))}</td></tr>\n");
    }

    // The interval as a band, the rate as a line in it.
    static string Svg(in Proportion rate) => FormattableString.Invariant(
        $"<svg class=\"rate\" viewBox=\"0 0 100 12\" width=\"100\" height=\"12\" aria-hidden=\"true\"><path class=\"whole\" d=\"M0 6H100\"/>")
        + FormattableString.Invariant($"<path class=\"band\" d=\"M{100 * rate.Low:0.#} 6H{100 * rate.High:0.#}\"/>")
        + FormattableString.Invariant($"<path class=\"at\" d=\"M{100 * rate.Rate:0.#} 1V11\"/></svg>");

    string Link(Scorecard card, ScorePlace place)
    {
        double from = Math.Max(place.Time - _start - MarginNanos, 0) / NanosecondsPerSecond;
        double to = (place.Time - _start + Math.Max(place.Nanos, 0) + MarginNanos) / NanosecondsPerSecond;
        string at = FormattableString.Invariant($"{(place.Time - _start) / NanosecondsPerSecond:0.000} s");
        string text = $"packet {place.Packet.ToString(CultureInfo.InvariantCulture)} at {at} ({Quantity.Duration(place.Nanos)})";
        return FormattableString.Invariant($"<a class=\"place\" href=\"{LinkTo(card)}@{from:0.######}-{to:0.######}\">{HtmlText.Encode(text)}</a>");
    }

    void AppendNotScored(TraceScores scores)
    {
        IEnumerable<IGrouping<string, Scorecard>> reasons = scores.Cards
            .Where(card => card.NotScored is not null)
            .GroupBy(card => card.NotScored!, StringComparer.Ordinal);
        foreach (IGrouping<string, Scorecard> reason in reasons.OrderByDescending(group => group.Count()).Take(MaxCards))
        {
            Add($"<p>{HtmlText.Encode($"{Quantity.Count(reason.Count(), "sender")} not scored: cannot be told from here, because {reason.Key}.")}</p>\n");
        }

        if (scores.Cards.Count == 0)
        {
            Add($"<p>Nothing to score: no end of a TCP connection sent data in this trace.</p>\n");
        }
    }

    static string LinkTo(Scorecard card) =>
        FormattableString.Invariant($"#connection-{card.Connection.Index}-{(card.IsFromClient ? "client" : "server")}");

    void Add(FormattableString text) => _page.Append(text.ToString(CultureInfo.InvariantCulture));
}
