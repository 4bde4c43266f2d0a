using System;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Report.Html;

/// <summary>The findings as they are read first: what, how much, how sure, what shows it, what to do, and where to see it.</summary>
static class FindingsMarkup
{
    // More than anyone reads; the table of connections names the others.
    const int MaxFindings = 100;

    /// <summary>Makes the section.</summary>
    public static string Of(TraceAnalysis analysis)
    {
        if (analysis.Findings.Count == 0)
        {
            return "<p>Nothing was found that made a connection slow.</p>\n";
        }

        var page = new StringBuilder();
        for (int i = 0; i < Math.Min(analysis.Findings.Count, MaxFindings); i++)
        {
            Append(page, analysis.Findings[i], analysis.Start);
        }

        if (analysis.Findings.Count > MaxFindings)
        {
            int more = analysis.Findings.Count - MaxFindings;
            page.Append(CultureInfo.InvariantCulture, $"<p>… and {more} more; the table below names the findings of each connection.</p>\n");
        }

        return page.ToString();
    }

    static void Append(StringBuilder page, Finding finding, TraceTime start)
    {
        string severity = NameOf(finding.Severity);
        FindingText text = finding.Text();
        page.Append(CultureInfo.InvariantCulture, $"<article class=\"finding {severity}\" id=\"{HtmlText.Encode(IdOf(finding))}\">\n");
        page.Append(CultureInfo.InvariantCulture, $"<h3>{HtmlText.Encode(text.Title)}</h3>\n");
        page.Append(CultureInfo.InvariantCulture, $"<p class=\"facts-line\"><span class=\"severity\">{severity}</span>{HtmlText.Encode(Facts(finding))}</p>\n");
        page.Append(CultureInfo.InvariantCulture, $"<p>{HtmlText.Encode(text.Cause)}</p>\n");
        if (finding.Connection is { } connection)
        {
            FindingEvidence? located = text.Evidence.FirstOrDefault(evidence => evidence.From is not null);
            string target = TargetOf(connection, finding.IsFromClient, located, start);
            string ends = HtmlText.Encode($"{connection.Client} → {connection.Server}");
            page.Append(CultureInfo.InvariantCulture, $"<p><a href=\"{target}\">Show it: {ends}</a></p>\n");
        }

        AppendDetails(page, finding, text, start);
        page.Append("</article>\n");
    }

    static void AppendDetails(StringBuilder page, Finding finding, FindingText text, TraceTime start)
    {
        page.Append("<details><summary>Evidence and what to do</summary>\n<table><tbody>\n");
        foreach (FindingEvidence evidence in text.Evidence)
        {
            string samples = evidence.Samples is { } count ? FormattableString.Invariant($"{count} samples") : string.Empty;
            string packet = evidence.FirstPacket is { } number ? FormattableString.Invariant($"from packet {number}") : string.Empty;
            string link = finding.Connection is { } connection && evidence.From is not null
                ? $"<a href=\"{TargetOf(connection, finding.IsFromClient, evidence, start)}\">show</a>"
                : string.Empty;
            page.Append(CultureInfo.InvariantCulture, $"<tr><td>{HtmlText.Encode(evidence.Measure)}</td><td>{HtmlText.Encode(evidence.Value)}</td>");
            page.Append(CultureInfo.InvariantCulture, $"<td>{samples}</td><td>{packet}</td><td>{link}</td></tr>\n");
        }

        page.Append("</tbody></table>\n<ul>\n");
        foreach (string advice in text.Advice)
        {
            page.Append(CultureInfo.InvariantCulture, $"<li>{HtmlText.Encode(advice)}</li>\n");
        }

        page.Append("</ul></details>\n");
    }

    static string Facts(Finding finding)
    {
        string lost = finding.SecondsLost is { } seconds ? FormattableString.Invariant($" · {seconds:0.###} s lost") : string.Empty;
        return FormattableString.Invariant($"{lost} · confidence {finding.Confidence * 100:0} % · {finding.Id}");
    }

    static string IdOf(Finding finding) => finding.Connection is { } connection
        ? FormattableString.Invariant($"finding-{finding.Id}-{connection.Index}")
        : $"finding-{finding.Id}";

    // What the page's script understands: #connection-17-client@1.25-1.5
    static string TargetOf(Connection connection, bool? isFromClient, FindingEvidence? evidence, TraceTime start)
    {
        string direction = isFromClient switch { true => "-client", false => "-server", null => string.Empty };
        string time = evidence is { From: { } from }
            ? FormattableString.Invariant($"@{Seconds(from, start):0.######}-{Seconds(evidence.To ?? from, start):0.######}")
            : string.Empty;
        return FormattableString.Invariant($"#connection-{connection.Index}{direction}{time}");
    }

    static double Seconds(TraceTime time, TraceTime start) => Math.Max(time - start, 0) / 1e9;

    static string NameOf(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Critical => "critical",
        FindingSeverity.Warning => "warning",
        _ => "note",
    };
}
