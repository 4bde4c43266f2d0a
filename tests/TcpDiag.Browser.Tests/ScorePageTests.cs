using System;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report.Html;
using TcpDiag.Scores;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Browser.Tests;

/// <summary>The page of <c>score --html</c> in Chromium: rates, their worst places, and what leads from them into the graphs.</summary>
/// <param name="chromium">The browser.</param>
public sealed class ScorePageTests(Chromium chromium) : IClassFixture<Chromium>
{
    const string Program = "chromium";

    async Task<OpenedPage> Open(int width, ColorScheme theme)
    {
        using TraceReader reader = TraceFile.Open([ProjectFolder.Fixture("stories/s1-fixed-sender.pcapng")]);
        TraceScores scores = TraceScorer.Score(reader, new AnalysisOptions { Timelines = new TimelineOptions() }, isPredicted: true);
        string path = Path.Combine(chromium.Folder, "scores.html");
        using (FileStream page = File.Create(path))
        {
            HtmlReport.Write(page, scores, expected: null, [reader.Path], reader);
        }

        return await OpenedPage.Open(chromium.Browser, path, width, theme);
    }

    [ToolTheory(Program)]
    [InlineData(1280, ColorScheme.Light)]
    [InlineData(400, ColorScheme.Dark)]
    public async Task Open_AnyWindow_IsReadable(int width, ColorScheme theme)
    {
        await using OpenedPage page = await Open(width, theme);
        Assert.Empty(page.Complaints);
        Assert.InRange(await page.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"), 0, width);
        string violations = string.Join("\n", await Axe.Check(page.Page));
        Assert.True(violations.Length == 0, violations);
        string text = await page.Page.Locator(".scored").First.InnerTextAsync();
        Assert.Contains("RACK with a fixed window", text, StringComparison.Ordinal);
        Assert.Contains("congestion control", text, StringComparison.Ordinal);
    }

    // Packet 889 is a worst place, 1.138 s into the trace (docs/scores.md).
    [ToolFact(Program)]
    public async Task WorstPlace_OpensItsGraph()
    {
        await using OpenedPage page = await Open(1280, ColorScheme.Light);
        await page.Page.Locator(".rates td.at a").Filter(new() { HasText = "packet 889 " }).FocusAsync();
        await page.Page.Keyboard.PressAsync("Enter");
        await Assertions.Expect(page.Page.Locator("#graphs h3")).ToBeVisibleAsync();
        (double from, double to) = await page.Shown();
        Assert.InRange(1.138, from, to);
        Assert.True(to - from < 1, $"{from} to {to} s");
        Assert.Empty(page.Complaints);
    }
}
