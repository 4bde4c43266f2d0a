using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;

namespace TcpDiag.Report.Html;

/// <summary>The documentation of findings within the report: the pages of docs/findings, which are part of the program.</summary>
static class FindingPages
{
    const string Suffix = ".md";

    /// <summary>The fragment of a finding's page.</summary>
    /// <param name="id">The finding's id.</param>
    public static string FragmentOf(string id) => $"about-{id}";

    /// <summary>Makes the section.</summary>
    /// <param name="ids">The ids of the findings that occur, each once.</param>
    /// <returns>An article each; links between them lead within the report, others are text. Empty without findings.</returns>
    public static string Of(IReadOnlyList<string> ids)
    {
        if (ids.Count == 0)
        {
            return string.Empty;
        }

        var html = new StringBuilder("<section aria-labelledby=\"about-heading\">\n<h2 id=\"about-heading\">About these findings</h2>\n");
        foreach (string id in ids)
        {
            if (TextOf(id) is { } page)
            {
                html.Append(CultureInfo.InvariantCulture, $"<article class=\"about\" id=\"{HtmlText.Encode(FragmentOf(id))}\">\n");
                html.Append(CultureInfo.InvariantCulture, $"<h3>{HtmlText.Encode(id)}</h3>\n");
                html.Append(PageMarkdown.ToHtml(page, target => TargetOf(target, ids))).Append("</article>\n");
            }
        }

        return html.Append("</section>\n").ToString();
    }

    /// <summary>The page of a finding as it stands in docs/findings.</summary>
    /// <returns>Null where there is none.</returns>
    public static string? TextOf(string id)
    {
        using Stream? stream = typeof(FindingPages).Assembly.GetManifestResourceStream($"findings/{id}{Suffix}");
        if (stream is null)
        {
            return null;
        }

        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    static string? TargetOf(string link, IReadOnlyList<string> ids)
    {
        string id = link.EndsWith(Suffix, StringComparison.Ordinal) ? link[..^Suffix.Length] : string.Empty;
        foreach (string known in ids)
        {
            if (string.Equals(known, id, StringComparison.Ordinal))
            {
                return $"#{FragmentOf(id)}";
            }
        }

        return null;
    }
}
