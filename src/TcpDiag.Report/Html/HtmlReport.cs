using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Locate.Results;
using TcpDiag.Report.Locations;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Report.Html;

/// <summary>
/// The analysis as one page that needs nothing else: no server, no network. It holds summary and findings as text; graphs
/// and table are drawn by its script from data it carries. Its policy forbids the browser every connection, and any script
/// or style but its own.
/// </summary>
public static class HtmlReport
{
    /// <summary>What a browser may do with the page; it says so itself, and who serves it says it again.</summary>
    public static string Policy =>
        $"default-src 'none'; script-src '{Hash(Resource("report.js"))}'; style-src '{Hash(Resource("style.css"))}'; base-uri 'none'; form-action 'none'";

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="analysis">The analysis, with timelines.</param>
    /// <param name="files">The traces as the user named them.</param>
    /// <param name="reader">The trace, read to its end.</param>
    /// <param name="bundles">What the bundles among the files say about their recordings; null without any.</param>
    /// <param name="location">Where on the path packets were lost, from captures at several points; null for one.</param>
    public static void Write(
        Stream output, TraceAnalysis analysis, IReadOnlyList<string> files, TraceReader reader, IReadOnlyList<BundleContents>? bundles = null,
        Location? location = null) =>
        Write(output, analysis, files, reader, bundles ?? [], location is null ? string.Empty : LocationMarkup.Of(location));

    /// <summary>Writes the page of scores: that of the analysis, with the scores in front of its findings.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="scores">The scores; their analysis has timelines.</param>
    /// <param name="expected">What a build is expected to do; null where none was named.</param>
    /// <param name="files">The traces as the user named them.</param>
    /// <param name="reader">The trace, read to its end.</param>
    public static void Write(Stream output, TraceScores scores, BuildExpectation? expected, IReadOnlyList<string> files, TraceReader reader)
    {
        ArgumentNullException.ThrowIfNull(scores);
        Write(output, scores.Analysis, files, reader, [], ScoresMarkup.Of(scores, expected));
    }

    static void Write(
        Stream output, TraceAnalysis analysis, IReadOnlyList<string> files, TraceReader reader, IReadOnlyList<BundleContents> bundles, string before)
    {
        using var page = new StreamWriter(output, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true);
        string script = Resource("report.js");
        string style = Resource("style.css");
        IReadOnlyList<FindingGroup> groups = FindingGroups.Of(analysis.Findings);
        var parts = new Dictionary<string, Action>(StringComparer.Ordinal)
        {
            ["policy"] = () => page.Write(Policy),
            ["title"] = () => page.Write(HtmlText.Encode($"tcpdiag: {string.Join(", ", files.Select(Path.GetFileName))}")),
            ["style"] = () => page.Write(style),
            ["events"] = () => page.Write(string.Join(' ', Enum.GetValues<StackEventKind>().Select(StackEventNames.Of))),
            ["summary"] = () => page.Write(SummaryMarkup.Of(analysis, reader, bundles)),
            ["before"] = () => page.Write(before),
            ["findings"] = () => page.Write(FindingsMarkup.Of(analysis, groups)),
            ["answer"] = () => page.Write(HtmlText.Encode(Answer.Of(analysis))),
            ["about"] = () => page.Write(FindingPages.Of([.. groups.Select(group => group.Id)])),
            ["footer"] = () => page.Write(Footer()),
            ["data"] = () => WriteData(page, analysis, groups),
            ["script"] = () => page.Write(script),
        };
        Fill(page, Resource("page.html"), parts);
    }

    static void Fill(StreamWriter page, string template, Dictionary<string, Action> parts)
    {
        string[] pieces = template.Split(["{{", "}}"], StringSplitOptions.None);
        for (int i = 0; i < pieces.Length; i++)
        {
            if (i % 2 == 0)
            {
                page.Write(pieces[i]);
            }
            else
            {
                parts[pieces[i]]();
            }
        }
    }

    static void WriteData(StreamWriter page, TraceAnalysis analysis, IReadOnlyList<FindingGroup> groups)
    {
        ConnectionColumns columns = ConnectionColumnsBuilder.Of(analysis, groups);
        TextBlock.Write(page, "rows", JsonSerializer.SerializeToUtf8Bytes(columns, ConnectionColumnsContext.Default.ConnectionColumns));
        foreach ((Connection connection, ConnectionTimeline timeline) in analysis.Timelines.OrderBy(entry => entry.Key.Index))
        {
            string id = string.Create(CultureInfo.InvariantCulture, $"timeline-{connection.Index}");
            TextBlock.Write(page, id, TimelineEncoder.Encode(timeline, analysis.Start));
        }
    }

    static string Footer()
    {
        string version = typeof(HtmlReport).Assembly.GetName().Version?.ToString(3) ?? string.Empty;
        return $"Made by tcpdiag {version}. Graphs are drawn with uPlot (MIT licence, in the script of this page).";
    }

    static string Hash(string text) => "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    // A browser reads every line ending as a line feed before it hashes.
    static string Resource(string name)
    {
        using Stream stream = typeof(HtmlReport).Assembly.GetManifestResourceStream(name)
            ?? throw new InvalidOperationException($"{name} is not part of the program");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}

/// <summary>Data carried by a page as text that no browser runs: base64 of raw deflate (RFC 1951).</summary>
static class TextBlock
{
    /// <summary>Writes a block.</summary>
    /// <param name="page">Takes the block.</param>
    /// <param name="id">Its id, letters, digits and dashes.</param>
    /// <param name="bytes">Its content.</param>
    public static void Write(TextWriter page, string id, ReadOnlySpan<byte> bytes)
    {
        using var packed = new MemoryStream();
        using (var deflate = new DeflateStream(packed, CompressionLevel.Optimal, leaveOpen: true))
        {
            deflate.Write(bytes);
        }

        page.Write($"<script type=\"text/plain\" id=\"{id}\">");
        page.Write(Convert.ToBase64String(packed.GetBuffer(), 0, (int)packed.Length));
        page.Write("</script>\n");
    }
}

/// <summary>Makes text safe for a page: one line of visible characters without markup.</summary>
static class HtmlText
{
    /// <summary>Encodes text, from a trace or not.</summary>
    /// <returns>ASCII that stands for it in elements and quoted attributes.</returns>
    public static string Encode(string text) => HtmlEncoder.Default.Encode(SafeText.OneLine(text));
}
