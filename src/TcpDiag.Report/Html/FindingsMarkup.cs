using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report.Html;

/// <summary>
/// The findings as they are read first, a card for each cause: what, how much, how sure, on which connections, what shows it, what to do, and where to see it.
/// </summary>
sealed class FindingsMarkup
{
    // What is read without opening anything; of more than a hundred connections nobody reads each, and the table of connections names the others.
    const int Visible = 5;
    const int Listed = 100;
    const int MaxAdvice = 12;

    readonly StringBuilder _page = new();
    readonly PlaceLinks _links;

    FindingsMarkup(TraceAnalysis analysis) => _links = new PlaceLinks(analysis);

    /// <summary>Makes the section.</summary>
    /// <param name="analysis">The analysis.</param>
    /// <param name="groups">Its findings.</param>
    public static string Of(TraceAnalysis analysis, IReadOnlyList<FindingGroup> groups)
    {
        if (groups.Count == 0)
        {
            return "<p>Nothing was found that made a connection slow.</p>\n";
        }

        var markup = new FindingsMarkup(analysis);
        for (int i = 0; i < groups.Count; i++)
        {
            markup.Append(groups[i], isFirst: i == 0);
        }

        return markup._page.ToString();
    }

    void Append(FindingGroup group, bool isFirst)
    {
        Finding worst = group.Worst;
        FindingText text = worst.Text();
        string severity = FindingWords.Of(group.Severity);
        Add($"<article class=\"finding {severity}\" id=\"finding-{HtmlText.Encode(group.Id)}\">\n");
        Add($"<h3>{HtmlText.Encode(text.Title)}</h3>\n");
        Add($"<p class=\"facts-line\"><span class=\"severity\">{severity}</span>{HtmlText.Encode(Facts(group))}</p>\n");
        Add($"<p>{HtmlText.Encode(text.Cause)}</p>\n");
        if (group.Findings.Count == 1)
        {
            Add($"<p class=\"places\">{Places(worst)}</p>\n");
        }
        else
        {
            AppendList(group, text.Title);
        }

        Add($"<details{(isFirst ? " open=\"open\"" : string.Empty)}><summary>Evidence and what to do</summary>\n");
        AppendEvidence(worst, text);
        AppendAdvice(group);
        Add($"<p><a href=\"#{HtmlText.Encode(FindingPages.FragmentOf(group.Id))}\">About {HtmlText.Encode(group.Id)}</a>: ");
        Add($"how it is decided, and when to doubt it.</p></details>\n</article>\n");
    }

    void AppendList(FindingGroup group, string title)
    {
        int listed = Math.Min(group.Findings.Count, Listed);
        AppendEntries(group, title, 0, Math.Min(listed, Visible));
        if (listed > Visible)
        {
            Add($"<details class=\"others\"><summary>{listed - Visible} more</summary>\n");
            AppendEntries(group, title, Visible, listed);
            Add($"</details>\n");
        }

        if (group.Findings.Count > Listed)
        {
            string more = FormattableString.Invariant($"… and {group.Findings.Count - Listed:N0} more; filter the table of connections for {group.Id}.");
            Add($"<p>{HtmlText.Encode(more)}</p>\n");
        }
    }

    void AppendEntries(FindingGroup group, string title, int from, int to)
    {
        Add($"<ol class=\"places\" start=\"{from + 1}\">\n");
        foreach (Finding finding in group.Findings.Skip(from).Take(to - from))
        {
            string own = finding.Title;
            string difference = string.Equals(own, title, StringComparison.Ordinal) ? string.Empty : $"<span class=\"own\">{HtmlText.Encode(own)}</span>";
            Add($"<li>{Places(finding)}{difference}</li>\n");
        }

        Add($"</ol>\n");
    }

    // The connection, what it lost, and the places to look at.
    string Places(Finding finding)
    {
        if (finding.Connection is not { } connection)
        {
            return "In the trace as a whole.";
        }

        string name = $"{FindingWords.Subject(finding)} {connection.Client} → {connection.Server}";
        string lost = FindingWords.Cost(finding.SecondsLost) is { } cost ? $"<span class=\"cost\">{HtmlText.Encode(cost)}</span>" : string.Empty;
        return $"<a href=\"{PlaceLinks.Whole(finding, connection)}\">{HtmlText.Encode(name)}</a> {lost}{_links.FirstAndWorst(finding, connection)}";
    }

    void AppendEvidence(Finding finding, FindingText text)
    {
        Add($"<table><tbody>\n");
        foreach (FindingEvidence evidence in text.Evidence)
        {
            string samples = evidence.Samples is { } count ? FormattableString.Invariant($"{count} samples") : string.Empty;
            string of = finding.SeenIn is { } capture ? $" of {HtmlText.Encode(capture)}" : string.Empty;
            string packet = evidence.FirstPacket is { } number ? FormattableString.Invariant($"from packet {number}{of}") : string.Empty;
            string link = finding is { Connection: { } connection, SeenIn: null } && evidence.From is not null
                ? $"<a href=\"{_links.Of(finding, connection, evidence)}\">show</a>"
                : string.Empty;
            Add($"<tr><td>{HtmlText.Encode(evidence.Measure)}</td><td>{HtmlText.Encode(evidence.Value)}</td>");
            Add($"<td>{samples}</td><td>{packet}</td><td>{link}</td></tr>\n");
        }

        Add($"</tbody></table>\n");
    }

    // Of one cause the advice is mostly the same; it differs where systems or ends do.
    void AppendAdvice(FindingGroup group)
    {
        Add($"<ul class=\"advice\">\n");
        foreach (string advice in group.Findings.Take(Listed).SelectMany(finding => finding.Advice).Distinct(StringComparer.Ordinal).Take(MaxAdvice))
        {
            Add($"<li>{HtmlText.Encode(advice)}</li>\n");
        }

        Add($"</ul>\n");
    }

    static string Facts(FindingGroup group)
    {
        string lost = FindingWords.Cost(group.SecondsLost) is { } cost ? $" · {cost} lost" : string.Empty;
        string extent = group.Findings.Count > 1 ? $" · {FindingWords.Extent(group)}, the worst first" : string.Empty;
        return FormattableString.Invariant($"{lost}{extent} · confidence {group.Worst.Confidence * 100:0} % · {group.Id}");
    }

    void Add(FormattableString text) => _page.Append(text.ToString(CultureInfo.InvariantCulture));
}

/// <summary>Links into the graphs, as the page's script understands them: <c>#connection-17-client@1.25-1.5</c>, in seconds of the trace.</summary>
/// <param name="analysis">The analysis.</param>
sealed class PlaceLinks(TraceAnalysis analysis)
{
    const double NanosecondsPerSecond = 1e9;

    /// <summary>To a connection and direction, over its whole time.</summary>
    public static string Whole(Finding finding, Connection connection)
    {
        string direction = finding.IsFromClient switch { true => "-client", false => "-server", null => string.Empty };
        return FormattableString.Invariant($"#connection-{connection.Index}{direction}");
    }

    /// <summary>To what one measure is based on.</summary>
    public string Of(Finding finding, Connection connection, FindingEvidence evidence)
    {
        long from = evidence.From?.Nanoseconds ?? connection.Start.Nanoseconds;
        return To(finding, connection, new Place(from, evidence.To?.Nanoseconds ?? from));
    }

    /// <summary>Two links, or one where the graphs show a single place, or where only the evidence has one.</summary>
    /// <returns>Markup; empty where no place is known.</returns>
    public string FirstAndWorst(Finding finding, Connection connection)
    {
        if (finding.SeenIn is not null)
        {
            return string.Empty; // the graphs are those of the other capture
        }

        if (FindingPlaces.Of(finding, analysis.Timelines.GetValueOrDefault(connection)) is not { } places)
        {
            FindingEvidence? located = finding.Evidence.FirstOrDefault(evidence => evidence.From is not null);
            return located is null ? string.Empty : Link(Of(finding, connection, located), "at", located.From!.Value.Nanoseconds);
        }

        return places.First == places.Worst
            ? Link(To(finding, connection, places.First), "at", places.First.From)
            : Link(To(finding, connection, places.First), "first at", places.First.From)
                + Link(To(finding, connection, places.Worst), "worst at", places.Worst.From);
    }

    string Link(string target, string name, long time) =>
        $" <a class=\"place\" href=\"{target}\">{HtmlText.Encode($"{name} {Quantity.Duration(Math.Max(time - analysis.Start.Nanoseconds, 0))}")}</a>";

    string To(Finding finding, Connection connection, Place place) =>
        FormattableString.Invariant($"{Whole(finding, connection)}@{Seconds(place.From):0.######}-{Seconds(place.To):0.######}");

    double Seconds(long time) => Math.Max(time - analysis.Start.Nanoseconds, 0) / NanosecondsPerSecond;
}
