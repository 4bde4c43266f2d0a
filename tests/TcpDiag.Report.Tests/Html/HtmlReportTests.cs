using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report.Html;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Report.Tests.Html;

public sealed class HtmlReportTests
{
    // What a name may hold to break out of a page, to turn its text around, or to speak to a terminal.
    const string Hostile = "</script><script>alert(1)</script>\"'&<!--\u202e\u001b[31m\u0007{{data}}";

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    static string Page(string[] fixtures, Func<TraceAnalysis, IReadOnlyList<Finding>>? findings = null, string? file = null)
    {
        using TraceReader reader = TraceFile.Open([.. fixtures.Select(ProjectFolder.Fixture)]);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, new AnalysisOptions { Timelines = new TimelineOptions() });
        if (findings is not null)
        {
            analysis = new TraceAnalysis
            {
                Connections = analysis.Connections,
                Timelines = analysis.Timelines,
                Findings = findings(analysis),
                Start = analysis.Start,
                End = analysis.End,
            };
        }

        using var page = new MemoryStream();
        HtmlReport.Write(page, analysis, file is null ? fixtures : [file], reader);
        return Encoding.UTF8.GetString(page.ToArray());
    }

    static byte[] Block(string page, string id)
    {
        Match match = Regex.Match(page, $"<script type=\"text/plain\" id=\"{id}\">([A-Za-z0-9+/=]*)</script>", RegexOptions.None, Limit);
        Assert.True(match.Success, $"no block {id}");
        using var inflate = new DeflateStream(new MemoryStream(Convert.FromBase64String(match.Groups[1].Value)), CompressionMode.Decompress);
        using var bytes = new MemoryStream();
        inflate.CopyTo(bytes);
        return bytes.ToArray();
    }

    // #0 to 445 is left out; the links of the findings and the graphs go by the numbers of the trace.
    [Fact]
    public void Write_Selection_KeepsTheNumbersOfTheTrace()
    {
        using TraceReader reader = TraceFile.Open(ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng"));
        var filter = new ConnectionFilter { Ports = [443, 21] };
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, new AnalysisOptions { Timelines = new TimelineOptions(), Connections = filter });
        using var bytes = new MemoryStream();
        HtmlReport.Write(bytes, analysis, ["demo.pcapng"], reader);
        string page = Encoding.UTF8.GetString(bytes.ToArray());
        JsonElement rows = JsonDocument.Parse(Block(page, "rows")).RootElement;
        Assert.Equal([1, 2], rows.GetProperty("number").EnumerateArray().Select(number => number.GetInt32()));
        Assert.Contains(rows.GetProperty("first").GetInt32(), (int[])[1, 2]);
        Assert.NotEmpty(Block(page, "timeline-1"));
        Assert.DoesNotContain("timeline-0", page, StringComparison.Ordinal);
        Assert.DoesNotContain("#connection-0", page, StringComparison.Ordinal);
    }

    static Finding Tame(Finding finding) => finding with { Text = () => finding.Text() with { Title = "a", Cause = "b", Advice = ["c"] } };

    static Finding HostileFinding(Connection connection) => new(
        "path-loss",
        connection,
        true,
        FindingSeverity.Critical,
        1.5,
        0.9,
        () => new FindingText(
            Hostile,
            Hostile,
            [new FindingEvidence(Hostile, Hostile, 3, 17, connection.Start + 250_000_000, connection.Start + 500_000_000)],
            [Hostile]));

    [Fact]
    public void Write_Policy_NamesTheHashesOfScriptAndStyle()
    {
        string page = Page(["bulk-loss.pcapng"]);
        foreach (string tag in new[] { "script", "style" })
        {
            string text = Regex.Match(page, $"<{tag}>(.*?)</{tag}>", RegexOptions.Singleline, Limit).Groups[1].Value;
            Assert.NotEmpty(text);
            string hash = Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
            Assert.Contains($"{tag}-src 'sha256-{hash}'", page, StringComparison.Ordinal);
        }

        Assert.Contains("default-src 'none'", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_Page_RefersToNothingOutside()
    {
        string page = Page(["bulk-loss.pcapng"]);
        Assert.DoesNotMatch(new Regex("(?:src|href)\\s*=\\s*[\"'](?!#)", RegexOptions.None, Limit), page);
        Assert.DoesNotContain("@import", page, StringComparison.Ordinal);
        Assert.DoesNotContain("url(", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_Rows_HoldEveryConnection()
    {
        string page = Page(["bulk-loss.pcapng", "reset.pcapng"]);
        using JsonDocument rows = JsonDocument.Parse(Block(page, "rows"));
        Assert.Equal(2, rows.RootElement.GetProperty("client").GetArrayLength());
        Assert.Contains("10.78.0.1:44038", rows.RootElement.GetProperty("client").EnumerateArray().Select(client => client.GetString()));
        Assert.All(rows.RootElement.GetProperty("charted").EnumerateArray(), charted => Assert.Equal(1, charted.GetInt32()));
        Assert.NotEmpty(Block(page, "timeline-0"));
        Assert.NotEmpty(Block(page, "timeline-1"));
    }

    [Fact]
    public void Write_Finding_LinksToItsEvidenceAndToItsPlaces()
    {
        string page = Page(["bulk-loss.pcapng"], analysis => [HostileFinding(analysis.Connections[0])]);
        Assert.Equal(1, Count(page, "href=\"#connection-0-client@0.25-0.5\">show"));
        Assert.Equal(1, Count(page, "href=\"#connection-0-client\">#0 upload 10.78.0.1:44038 "));
        Assert.Matches("href=\"#connection-0-client@[0-9.]+-[0-9.]+\">(first )?at ", page);
        string elsewhere = Page(["bulk-loss.pcapng"], analysis => [HostileFinding(analysis.Connections[0]) with { Id = "reset-by-peer" }]);
        Assert.Equal(2, Count(elsewhere, "href=\"#connection-0-client@0.25-0.5\"")); // no graph shows it: its place is its evidence
    }

    [Fact]
    public void Write_OneCauseOnManyConnections_IsOneCardWithAtMostAHundredOfThem()
    {
        string page = Page(["bulk-loss.pcapng"], _ => FindingsOf.Connections("zero-window", [.. Enumerable.Repeat(2.0, 5000)]));
        Assert.Equal(1, Count(page, "<article class=\"finding"));
        Assert.Equal(100, Count(page, "<li><a href=\"#connection-"));
        Assert.Contains("4,900 more; filter the table of connections for zero-window.", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_Finding_LinksToItsDocumentationInThePage()
    {
        string page = Page(["zero-window.pcapng"]);
        Assert.Contains("href=\"#about-zero-window\"", page, StringComparison.Ordinal);
        Assert.Contains("<article class=\"about\" id=\"about-zero-window\">", page, StringComparison.Ordinal);
        Assert.Contains("network delivered, the program did not read.", page, StringComparison.Ordinal); // as docs/findings/zero-window.md has it
        Assert.DoesNotContain("about-path-loss", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_Answer_StandsOnTop()
    {
        string page = Page(["zero-window.pcapng"]);
        int answer = page.IndexOf("<p class=\"answer\">The application on the server did not read", StringComparison.Ordinal);
        Assert.InRange(answer, 1, page.IndexOf("<article", StringComparison.Ordinal));
    }

    [Fact]
    public void Write_HostileText_BecomesNoMarkup()
    {
        string plain = Page(["bulk-loss.pcapng"], analysis => [Tame(HostileFinding(analysis.Connections[0]))], "d");
        string page = Page(["bulk-loss.pcapng"], analysis => [HostileFinding(analysis.Connections[0])], Hostile.Replace('/', '_'));
        Assert.Equal(Count(plain, "<script"), Count(page, "<script"));
        Assert.Equal(Count(plain, "<!--"), Count(page, "<!--"));
        Assert.Equal(1, Count(page, "id=\"rows\""));
        Assert.DoesNotContain(page, character => char.IsControl(character) && character is not '\n');
        Assert.DoesNotContain('\u202e', page);
    }

    [Fact]
    public void Write_EmptyTrace_SaysSo()
    {
        var analysis = new TraceAnalysis { Connections = [] };
        using TraceReader reader = TraceFile.Open([ProjectFolder.Fixture("reset.pcapng")]);
        using var page = new MemoryStream();
        HtmlReport.Write(page, analysis, ["empty.pcapng"], reader);
        string text = Encoding.UTF8.GetString(page.ToArray());
        Assert.Contains("No packets in this trace.", text, StringComparison.Ordinal);
        using JsonDocument rows = JsonDocument.Parse(Block(text, "rows"));
        Assert.Equal(-1, rows.RootElement.GetProperty("first").GetInt32());
    }

    static int Count(string text, string part) => text.Split(part).Length - 1;
}

public sealed class LebWriterTests
{
    [Theory]
    [InlineData(0, new byte[] { 0 })]
    [InlineData(127, new byte[] { 0x7f })]
    [InlineData(128, new byte[] { 0x80, 1 })]
    [InlineData(300, new byte[] { 0xac, 2 })]
    [InlineData(1L << 40, new byte[] { 0x80, 0x80, 0x80, 0x80, 0x80, 0x20 })]
    [InlineData(-5, new byte[] { 0 })]
    public void Unsigned_SevenBitsAByte(long value, byte[] expected)
    {
        var writer = new LebWriter();
        writer.Unsigned(value);
        Assert.Equal(expected, writer.Written.ToArray());
    }

    [Theory]
    [InlineData(0, new byte[] { 0 })]
    [InlineData(-1, new byte[] { 1 })]
    [InlineData(1, new byte[] { 2 })]
    [InlineData(-64, new byte[] { 0x7f })]
    [InlineData(64, new byte[] { 0x80, 1 })]
    public void Signed_SignInTheLowestBit(long value, byte[] expected)
    {
        var writer = new LebWriter();
        writer.Signed(value);
        Assert.Equal(expected, writer.Written.ToArray());
    }
}
