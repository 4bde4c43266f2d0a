using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Report.Site;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Report.Builds;

/// <summary>What changed from build to build, as a table.</summary>
static class BuildStepMarkup
{
    const int ShownEvents = 12;

    /// <summary>Makes the table.</summary>
    /// <param name="steps">The steps.</param>
    /// <param name="links">Where builds lead to.</param>
    public static string Of(IReadOnlyList<BuildStep> steps, SiteLinks links)
    {
        var table = new StringBuilder("<p>What is documented, and the events of TCP/IP that each build declares. Whether the one explains the other is not "
            + "said.</p>");
        table.Append(SitePage.Table("What changed between the builds", string.Empty,
            SitePage.Heading("from, to"), SitePage.TextHeading("documented"), SitePage.Heading("events")));
        foreach (BuildStep step in steps)
        {
            string name = $"{step.From} to {step.To}";
            table.Append($"<tr><th scope=\"row\">{links.Comparison($"{step.From}", $"{step.To}", name)}</th>");
            table.Append($"<td class=\"text\">{Traits(step.Traits)}</td><td class=\"text\">{Events(step)}</td></tr>\n");
        }

        return table.Append(SitePage.EndTable).ToString();
    }

    static string Traits(IReadOnlyList<TraitChange> traits) => traits.Count == 0
        ? "no trait that is documented differs"
        : string.Join("<br>", traits.Select(change => HtmlText.Encode($"{change.Name}: {Value(change.From)} → {Value(change.To)}")));

    static string Value(BuildTrait trait) => trait.IsAssumed ? $"{trait.Value} (assumed)" : trait.Value;

    static string Events(BuildStep step)
    {
        if (step.Events is not { } events)
        {
            return HtmlText.Encode($"not known of {string.Join(" and ", step.Unlisted)}");
        }

        string counts = $"{events.Appeared.Count} appeared, {events.Vanished.Count} vanished, {events.Changed.Count} changed";
        string names = string.Join(", ", events.Appeared.Where(one => one.Name is not null).Select(one => one.Name).Distinct(StringComparer.Ordinal)
            .Take(ShownEvents));
        string first = names.Length == 0 ? string.Empty : $"<details><summary>Appeared</summary>{HtmlText.Encode(names)}{More(events)}</details>";
        return $"{counts}: <code>{step.Command}</code>{first}";
    }

    static string More(EventsDiffDocument events)
    {
        int others = events.Appeared.Where(one => one.Name is not null).Select(one => one.Name).Distinct(StringComparer.Ordinal).Count() - ShownEvents;
        return others > 0 ? $" and {others} more" : string.Empty;
    }
}
