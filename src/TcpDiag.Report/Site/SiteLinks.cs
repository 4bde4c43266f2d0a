using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Site;

/// <summary>How names on a page over a store lead to other pages: where it is served; in a file that stands alone they are text.</summary>
public sealed class SiteLinks
{
    static readonly (string Path, string Title)[] Pages = [("/", "Fleet"), ("/builds", "Builds"), ("/compare", "Compare"), ("/recordings", "Recordings"),
        ("/connections", "Connections")];

    readonly bool _isServed;

    SiteLinks(bool isServed) => _isServed = isServed;

    /// <summary>Of a page that stands alone.</summary>
    public static SiteLinks None { get; } = new(isServed: false);

    /// <summary>Of the pages of <c>tcpdiag serve</c>.</summary>
    public static SiteLinks Served { get; } = new(isServed: true);

    /// <summary>Whether the pages are served.</summary>
    internal bool IsServed => _isServed;

    /// <summary>When the store was read for the page; null where that is not kept for other readers.</summary>
    internal DateTimeOffset? AsOf { get; private init; }

    /// <summary>Of a served page whose figures were read at a time: what has been added since is not in it.</summary>
    /// <param name="time">The time.</param>
    public static SiteLinks ServedAsOf(DateTimeOffset time) => new(isServed: true) { AsOf = time };

    /// <summary>The links on top of a page; empty for a page that stands alone.</summary>
    /// <param name="current">Path of the page.</param>
    internal string Navigation(string current)
    {
        if (!_isServed)
        {
            return string.Empty;
        }

        IEnumerable<string> links = Pages.Select(page => string.Equals(page.Path, current, StringComparison.Ordinal)
            ? $"<a href=\"{page.Path}\" aria-current=\"page\">{page.Title}</a>"
            : $"<a href=\"{page.Path}\">{page.Title}</a>");
        return $"<a class=\"skip\" href=\"#content\">To the content</a><header><nav aria-label=\"Pages\">{string.Concat(links)}</nav></header>";
    }

    /// <summary>Recordings in which a column is so.</summary>
    /// <param name="column">The column.</param>
    /// <param name="value">Its value.</param>
    internal string Recordings(string column, string value) => To("/recordings", [(column, value)], value);

    /// <summary>A recording.</summary>
    /// <param name="source">Its SHA-256.</param>
    /// <param name="text">What the link is called.</param>
    internal string Recording(string source, string text) => To($"/recordings/{Uri.EscapeDataString(source)}", [], text);

    /// <summary>A connection of a recording.</summary>
    internal string Connection(string source, long connection, string text) =>
        To(FormattableString.Invariant($"/recordings/{Uri.EscapeDataString(source)}/connections/{connection}"), [], text);

    /// <summary>Two builds beside each other.</summary>
    internal string Comparison(string from, string to, string text) => To("/compare", [("a", from), ("b", to)], text);

    /// <summary>A link.</summary>
    /// <param name="path">Where to; escaped already.</param>
    /// <param name="query">What is asked there.</param>
    /// <param name="text">What it is called.</param>
    /// <returns>Markup: the text alone where pages stand alone.</returns>
    internal string To(string path, IReadOnlyList<(string Name, string Value)> query, string text) =>
        _isServed ? $"<a href=\"{HtmlText.Encode(Address(path, query))}\">{HtmlText.Encode(text)}</a>" : HtmlText.Encode(text);

    /// <summary>The address of a page.</summary>
    /// <param name="path">Its path; escaped already.</param>
    /// <param name="query">What is asked there; what is empty is left out.</param>
    internal static string Address(string path, IReadOnlyList<(string Name, string Value)> query)
    {
        string[] parts = [.. query.Where(part => part.Value.Length > 0).Select(part => $"{part.Name}={Uri.EscapeDataString(part.Value)}")];
        return parts.Length == 0 ? path : $"{path}?{string.Join('&', parts)}";
    }
}
