using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Report;

/// <summary>The text form of scores: for each sender what it does in words, then a line for each rate. 80 columns.</summary>
public static class ScoreReport
{
    const int Columns = 80;
    const int NameWidth = 41;

    // The connections of a browser would fill pages.
    const int MaxCards = 5;

    /// <summary>Writes the report.</summary>
    /// <param name="console">Where to.</param>
    /// <param name="scores">The scores.</param>
    /// <param name="reader">The trace, read to its end.</param>
    /// <param name="expected">What a build is expected to do; null where none was named.</param>
    public static void Write(IAnsiConsole console, TraceScores scores, TraceReader reader, BuildExpectation? expected)
    {
        if (reader.System.Simulation is { } simulation)
        {
            Wrap(console, string.Empty, simulation);
        }

        Scorecard[] scored = [.. scores.Cards.Where(card => card.NotScored is null)];
        foreach (Scorecard card in scored.Take(MaxCards))
        {
            WriteCard(console, card, scores.Analysis.Start, expected);
        }

        if (scored.Length > MaxCards)
        {
            Line(console, $"{Quantity.Count(scored.Length - MaxCards, "sender")} more; choose with --connection, --host or --port.");
        }

        WriteNotScored(console, scores);
    }

    static void WriteCard(IAnsiConsole console, Scorecard card, TraceTime start, BuildExpectation? expected)
    {
        Line(console, $"{card.Sender} to {card.Receiver}, connection {card.Connection.Index}");
        foreach (string sentence in ScoreWords.Of(card))
        {
            Wrap(console, "  ", sentence);
        }

        if (expected is not null)
        {
            WriteExpectation(console, card, expected);
        }

        foreach ((ScoreFamily family, string title) in ScoreWords.Families)
        {
            ScoreComponent[] components = [.. card.Components.Where(component => component.Family == family)];
            if (components.Length > 0)
            {
                WriteFamily(console, title, components, start, FamilyFigure.Of(components, family));
            }
        }

        Line(console, string.Empty);
    }

    static void WriteExpectation(IAnsiConsole console, Scorecard card, BuildExpectation expected)
    {
        Line(console, string.Empty);
        Wrap(console, string.Empty, $"build {expected.Build}, expected as {expected.Line}:");
        foreach (ExpectedTrait trait in expected.Compare(card))
        {
            string assumed = trait.IsAssumed ? " (assumed, not documented)" : string.Empty;
            Wrap(console, "  ", $"{trait.What}: expected {trait.Expected}{assumed}, observed {trait.Observed}: {trait.VerdictText}");
        }
    }

    static void WriteFamily(IAnsiConsole console, string title, ScoreComponent[] components, TraceTime start, FamilyFigure? figure)
    {
        Line(console, string.Empty);
        Line(console, title.PadRight(NameWidth) + "  rate      n  95 %       clause");
        foreach (ScoreComponent component in components.Where(component => component.Rate is not null))
        {
            Proportion rate = component.Rate!.Value;
            string numbers = string.Create(
                CultureInfo.InvariantCulture, $"{rate.Rate * 100,4:0} % {Short(rate.Trials),6}  {rate.Low * 100,3:0}–{rate.High * 100,-3:0} %");
            Line(console, $"  {ScoreWords.NameOf(component).PadRight(NameWidth - 2)}{numbers}  {ShortClause(component.Clause)}");
            if (component.Evidence.Length > 0)
            {
                Wrap(console, "    ", component.Evidence);
            }

            if (component.Worst.Count > 0)
            {
                Wrap(console, "    ", $"worst: {string.Join(", ", component.Worst.Select(place => PlaceText(place, start)))}");
            }
        }

        if (components.Any(component => component is { Rate: not null, DependsOnPath: true }))
        {
            Line(console, $"  {ScoreWords.OfPath}");
        }

        if (figure is not null)
        {
            Wrap(console, "  ", ScoreWords.Of(figure));
        }

        foreach (ScoreComponent component in components.Where(component => component.Rate is null))
        {
            Wrap(console, "  ", $"{component.Name}: not exercised: {component.NotExercised}");
        }
    }

    static void WriteNotScored(IAnsiConsole console, TraceScores scores)
    {
        IEnumerable<IGrouping<string, Scorecard>> reasons = scores.Cards
            .Where(card => card.NotScored is not null)
            .GroupBy(card => card.NotScored!, StringComparer.Ordinal);
        foreach (IGrouping<string, Scorecard> reason in reasons.OrderByDescending(group => group.Count()).Take(MaxCards))
        {
            Wrap(console, string.Empty, $"{Quantity.Count(reason.Count(), "sender")} not scored: cannot be told from here, because {reason.Key}.");
        }

        if (scores.Cards.Count == 0)
        {
            Line(console, "Nothing to score: no end of a TCP connection sent data in this trace.");
        }
    }

    static string PlaceText(ScorePlace place, TraceTime start) => string.Create(
        CultureInfo.InvariantCulture, $"packet {place.Packet} at {(place.Time - start) / 1e9:0.000} s ({Quantity.Duration(place.Nanos)})");

    // The column has room for the section, e.g. 8985 §6.2; JSON has the step too.
    static string ShortClause(string clause) => clause.Replace("RFC ", string.Empty, StringComparison.Ordinal).Split(" step")[0];

    static string Short(long number) => number < 100_000 ? number.ToString(CultureInfo.InvariantCulture) : Quantity.Rate(number);

    static void Wrap(IAnsiConsole console, string indent, string text)
    {
        foreach (string line in TerminalText.Wrap(SafeText.OneLine(text), Columns - indent.Length))
        {
            Line(console, indent + line);
        }
    }

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(text + "\n"));
}
