using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Report.Html;

/// <summary>The first section of the page: what the trace holds, and what it lacks.</summary>
static class SummaryMarkup
{
    const long NanosecondsPerTick = 100;

    /// <summary>Makes the section.</summary>
    /// <param name="analysis">The analysis.</param>
    /// <param name="reader">The trace, read to its end.</param>
    /// <param name="bundles">What the bundles among its files say about their recordings.</param>
    public static string Of(TraceAnalysis analysis, TraceReader reader, IReadOnlyList<BundleContents> bundles)
    {
        var page = new StringBuilder("<dl class=\"facts\">\n");
        foreach ((string name, string value) in Facts(analysis))
        {
            page.Append(CultureInfo.InvariantCulture, $"<div><dt>{HtmlText.Encode(name)}</dt><dd>{HtmlText.Encode(value)}</dd></div>\n");
        }

        page.Append("</dl>\n");
        foreach (string remark in bundles.SelectMany(BundleText.Sentences).Concat(Remarks(analysis, reader, bundles)))
        {
            page.Append(CultureInfo.InvariantCulture, $"<p class=\"remark\">{HtmlText.Encode(remark)}</p>\n");
        }

        return page.ToString();
    }

    static IEnumerable<(string Name, string Value)> Facts(TraceAnalysis analysis)
    {
        IEnumerable<ConnectionDirection> directions = analysis.Connections.SelectMany(connection => new[] { connection.FromClient, connection.FromServer });
        yield return ("Packets", Number(analysis.Packets));
        string all = analysis.LeftOut > 0 ? $" of {Number(analysis.Connections.Count + analysis.LeftOut)}" : string.Empty;
        yield return ("TCP connections", Number(analysis.Connections.Count) + all);
        yield return ("Payload", Quantity.Bytes(directions.Sum(direction => direction.PayloadBytes)));
        yield return ("Segments sent again", Number(directions.Sum(direction => direction.Retransmissions)));
        if (directions.Sum(direction => direction.Ecn?.Marked ?? 0) is > 0 and { } marked)
        {
            yield return ("Packets marked (ECN)", Number(marked));
        }

        if (analysis.StackEvents > 0)
        {
            yield return ("Stack events", Number(analysis.StackEvents));
        }

        yield return ("Length", Quantity.Duration(analysis.Length));
        if (analysis.Packets + analysis.StackEvents > 0)
        {
            DateTime start = DateTime.UnixEpoch.AddTicks(analysis.Start.Nanoseconds / NanosecondsPerTick);
            yield return ("Start", start.ToString("yyyy-MM-dd HH:mm:ss.fff 'UTC'", CultureInfo.InvariantCulture));
        }
    }

    static IEnumerable<string> Remarks(TraceAnalysis analysis, TraceReader reader, IReadOnlyList<BundleContents> bundles)
    {
        foreach (string remark in TraceRemarks.Of(analysis, reader))
        {
            yield return remark.ReplaceLineEndings(" ");
        }

        foreach (string problem in bundles.SelectMany(bundle => bundle.Problems))
        {
            yield return $"The bundle is damaged: {SafeText.OneLine(problem)}";
        }

        if (reader.Problems.Count > 0)
        {
            TraceProblem first = reader.Problems[0];
            string problems = Quantity.Count(reader.Problems.Count, "problem");
            yield return FormattableString.Invariant($"The input was damaged or incomplete: {problems}, the first at 0x{first.OffsetBytes:x}: {first.Message}");
        }
    }

    static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);
}
