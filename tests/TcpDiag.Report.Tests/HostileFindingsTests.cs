using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Xml.Linq;
using FsCheck;
using FsCheck.Fluent;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Report.Tests;

/// <summary>
/// Findings of any text and numbers in all three forms: no text of a trace may become a command to a terminal, markup of a page or a fault in a document.
/// </summary>
public sealed class HostileFindingsTests
{
    static readonly string[] Pieces =
    [
        "a", "é", "\u001b[31m", "\u001b]0;x\a", "\r\n", "\t", "\0", "\u202e", "\u2028", "\ud800", "\ufffe", "😀",
        "<script>alert(1)</script>", "<img src=x onerror=1>", "\"", "'", "&amp;",
        "]]>", "-->", "{{data}}", "[red]", "[/]", "%s", "\\", " ",
    ];

    static readonly HashSet<string> Elements =
        ["findings", "article", "h3", "p", "span", "a", "details", "summary", "table", "tbody", "tr", "th", "td", "ul", "li", "ol"];

    [Fact]
    public void Text_AnyFindings_HasNoControlCharacters() => Check(analysis =>
    {
        var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, Out = new AnsiConsoleOutput(text) });
        FindingsReport.Write(console, analysis.Findings, int.MaxValue, int.MaxValue);
        foreach (Finding finding in analysis.Findings)
        {
            FindingsReport.WriteOne(console, finding, FindingNews.SoFar);
        }

        return text.ToString().ReplaceLineEndings("\n").All(letter => letter is '\n' || !char.IsControl(letter));
    });

    [Fact]
    public void Json_AnyFindings_IsADocumentThatHoldsThem() => Check(analysis =>
    {
        var text = new StringWriter();
        AnalysisJson.Write(text, analysis, ["trace"], isComplete: true);
        using var document = JsonDocument.Parse(text.ToString());
        return document.RootElement.GetProperty("findings").GetArrayLength() == analysis.Findings.Count;
    });

    [Fact]
    public void Html_AnyFindings_HasNoOtherElementsThanItsOwn() => Check(analysis =>
    {
        var page = XElement.Parse($"<findings>{FindingsMarkup.Of(analysis, FindingGroups.Of(analysis.Findings))}</findings>");
        return page.DescendantsAndSelf().All(element => Elements.Contains(element.Name.LocalName)
            && element.Attributes().All(attribute => attribute.Name.LocalName is "class" or "id" or "href" or "open" or "start"));
    });

    static void Check(Func<TraceAnalysis, bool> holds) =>
        Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed => holds(Analysis(new Random(seed)))).QuickCheckThrowOnFailure();

    static TraceAnalysis Analysis(Random random) => new()
    {
        Connections = [],
        Findings = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => Finding(random))],
        Start = new TraceTime(random.NextInt64(long.MaxValue)),
    };

    // Its name is always one of ours.
    static Finding Finding(Random random)
    {
        FindingText text = Words(random);
        return new Finding(
            random.Next(2) == 0 ? FindingIds.ZeroWindow : FindingIds.NameLookupDelay,
            null,
            random.Next(3) switch { 0 => true, 1 => false, _ => null },
            (FindingSeverity)random.Next(3),
            random.Next(2) == 0 ? null : random.NextDouble() * Math.Pow(10, random.Next(-12, 12)),
            random.NextDouble(),
            () => text);
    }

    static FindingText Words(Random random) => new(
        Text(random),
        Text(random),
        [.. Enumerable.Range(0, random.Next(3)).Select(_ =>
            new FindingEvidence(Text(random), Text(random), random.NextInt64(), random.NextInt64(), new TraceTime(random.NextInt64()), null))],
        [.. Enumerable.Range(0, random.Next(3)).Select(_ => Text(random))]);

    static string Text(Random random) => string.Concat(Enumerable.Range(0, random.Next(8)).Select(_ => Pieces[random.Next(Pieces.Length)]));
}

public sealed class SafeTextTests
{
    [Theory]
    [InlineData("server-1.example.org", "server-1.example.org")]
    [InlineData("größe Ω 漢字", "größe Ω 漢字")]
    [InlineData("\u001b[31mred\u0007", "?[31mred?")] // terminal escape and bell
    [InlineData("a\r\nb\tc", "a??b?c")]
    [InlineData("txt\u202Eexe", "txt?exe")] // turns the reading direction
    [InlineData("a\u200Bb\u2028c", "a?b?c")]
    [InlineData("\u009b31m", "?31m")] // one-character control sequence introducer
    public void OneLine_AnyText_IsPlainlyVisible(string text, string expected) => Assert.Equal(expected, SafeText.OneLine(text));

    [Fact]
    public void OneLine_HalfASurrogatePair_IsReplaced() => Assert.Equal("?x", SafeText.OneLine("\uD800x"));

    [Theory]
    [InlineData("abcdef", 6, "abcdef")]
    [InlineData("abcdefg", 6, "abcde…")]
    [InlineData("abcdefg", 1, "…")]
    public void OneLine_TooLong_EndsInAnEllipsis(string text, int maximum, string expected) => Assert.Equal(expected, SafeText.OneLine(text, maximum));
}
