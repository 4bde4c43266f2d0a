using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Browser.Tests;

/// <summary>The HTML report as a reader meets it: in Chromium, by mouse and by keyboard.</summary>
/// <param name="chromium">The browser.</param>
public sealed class ReportTests(Chromium chromium) : IClassFixture<Chromium>
{
    const string Program = "chromium";
    const string Hostile = "</script><img src=x onerror=alert(1)>\"'&<!--\u202etxt\u001b[31m";

    // Elements whose content sticks out of them, but for the table, which scrolls.
    const string WiderThanTheirRoom = """
        [...document.querySelectorAll('section, article, figure, figcaption, p, li, dd, td, h3')]
          .filter((part) => !part.closest('.scroller') && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline')
          .map((part) => `${part.tagName} ${part.className} ${part.textContent.slice(0, 60)}`)
        """;

    static readonly string[] Fixtures = ["bulk-loss.pcapng", "zero-window.pcapng", "send-buffer.pcapng", "reset.pcapng", "ipv6.pcapng"];

    Task<OpenedPage> Open(int width = 1280, ColorScheme theme = ColorScheme.Light, string place = "") =>
        OpenedPage.Open(chromium.Browser, Reports.Of(chromium.Folder, Fixtures), width, theme, place);

    static async Task<IReadOnlyList<string>> Column(OpenedPage page, int column) =>
        await page.Page.Locator($".connections tr[data-place] td:nth-child({column})").AllInnerTextsAsync();

    [ToolTheory(Program)]
    [InlineData(1280, ColorScheme.Light)]
    [InlineData(400, ColorScheme.Light)]
    [InlineData(360, ColorScheme.Dark)]
    public async Task Open_AnyWindow_NeitherComplainsNorAsksTheNetworkNorScrollsSideways(int width, ColorScheme theme)
    {
        await using OpenedPage page = await Open(width, theme);
        Assert.Empty(page.Complaints);
        Assert.Equal(4, await page.Page.Locator(".plots canvas").CountAsync());
        int content = await page.Page.EvaluateAsync<int>("document.documentElement.scrollWidth");
        Assert.InRange(content, 0, width);
        Assert.Empty(await page.Page.EvaluateAsync<string[]>(WiderThanTheirRoom));
        string expected = theme == ColorScheme.Dark ? "dark" : "light";
        Assert.Equal(expected, await page.Page.Locator("html").GetAttributeAsync("data-theme"));
    }

    [ToolFact(Program)]
    public async Task Theme_Button_ChangesColours()
    {
        await using OpenedPage page = await Open();
        const string background = "getComputedStyle(document.documentElement).backgroundColor";
        string light = await page.Page.EvaluateAsync<string>(background);
        await page.Page.ClickAsync("#theme");
        Assert.NotEqual(light, await page.Page.EvaluateAsync<string>(background));
    }

    [ToolFact(Program)]
    public async Task Table_Headings_SortBothWays()
    {
        await using OpenedPage page = await Open();
        await page.Page.Locator("th[data-key=client] button").ClickAsync();
        IReadOnlyList<string> up = await Column(page, 2);
        Assert.Equal(up.Order(StringComparer.Ordinal), up);
        await page.Page.Locator("th[data-key=client] button").ClickAsync();
        Assert.Equal(up.Reverse(), await Column(page, 2));
        Assert.Equal("descending", await page.Page.Locator("th[data-key=client]").GetAttributeAsync("aria-sort"));
    }

    [ToolFact(Program)]
    public async Task Table_Filter_KeepsWhatHoldsAllWords()
    {
        await using OpenedPage page = await Open();
        await page.Page.GetByRole(AriaRole.Searchbox).FillAsync("10.78.0.2 :443");
        Assert.All(await Column(page, 3), server => Assert.Contains("10.78.0.2:443", server, StringComparison.Ordinal));
        await page.Page.GetByRole(AriaRole.Searchbox).FillAsync("nothing has this name");
        Assert.Empty(await Column(page, 3));
        Assert.Equal("0 of 5 connections", await page.Page.Locator(".count").InnerTextAsync());
    }

    [ToolFact(Program)]
    public async Task Table_Keyboard_ChoosesAndOpens()
    {
        await using OpenedPage page = await Open();
        await page.Page.FocusAsync(".scroller");
        await page.Page.Keyboard.PressAsync("End");
        string last = await page.Page.Locator(".connections tr[aria-selected=true] td:nth-child(2)").InnerTextAsync();
        await page.Page.Keyboard.PressAsync("Enter");
        await Assertions.Expect(page.Page.Locator("#graphs h3")).ToContainTextAsync(last);
        Assert.Empty(page.Complaints);
    }

    [ToolFact(Program)]
    public async Task Graphs_Drag_ZoomsAll_DoubleClickShowsAll()
    {
        await using OpenedPage page = await Open();
        (double From, double To) whole = await page.Shown();
        await page.Page.Locator(".plot-bytes").ScrollIntoViewIfNeededAsync();
        LocatorBoundingBoxResult box = (await page.Page.Locator(".plot-bytes .u-over").BoundingBoxAsync())!;
        await page.Page.Mouse.MoveAsync(box.X + (box.Width / 4), box.Y + 50);
        await page.Page.Mouse.DownAsync();
        await page.Page.Mouse.MoveAsync(box.X + (box.Width / 2), box.Y + 60, new() { Steps = 4 });
        await page.Page.Mouse.UpAsync();
        (double From, double To) zoomed = await page.Shown();
        double length = whole.To - whole.From;
        Assert.InRange(zoomed.From, whole.From + (0.24 * length), whole.From + (0.26 * length));
        Assert.InRange(zoomed.To, whole.From + (0.49 * length), whole.From + (0.51 * length));
        await page.Page.Locator(".plot-windows .u-over").DblClickAsync();
        Assert.Equal(whole, await page.Shown());
        Assert.Empty(page.Complaints);
    }

    [ToolFact(Program)]
    public async Task Graphs_Keyboard_ZoomsMovesAndFindsMarks()
    {
        await using OpenedPage page = await Open();
        (double From, double To) whole = await page.Shown();
        double length = whole.To - whole.From;
        await page.Page.FocusAsync(".frame");
        await page.Page.Keyboard.PressAsync("+");
        (double From, double To) near = await page.Shown();
        Assert.Equal(length / 2, near.To - near.From, 6);
        await page.Page.Keyboard.PressAsync("ArrowLeft");
        Assert.Equal(near.From - (0.1 * length), (await page.Shown()).From, 6);
        await page.Page.Keyboard.PressAsync("n");
        await Assertions.Expect(page.Page.Locator(".readout")).ToContainTextAsync("packet ");
        await page.Page.Keyboard.PressAsync("0");
        Assert.Equal(whole, await page.Shown());
    }

    [ToolFact(Program)]
    public async Task Graphs_OtherDirection_ShowsWhatTheServerSent()
    {
        await using OpenedPage page = await Open();
        await page.Page.GetByRole(AriaRole.Button, new() { Name = "server → client" }).ClickAsync();
        Assert.Equal("true", await page.Page.Locator("button[value=fromServer]").GetAttributeAsync("aria-pressed"));
        Assert.Equal(4, await page.Page.Locator(".plots canvas").CountAsync());
        Assert.Empty(page.Complaints);
    }

    [ToolFact(Program)]
    public async Task Place_InTheAddress_OpensConnectionDirectionAndTime()
    {
        string path = Reports.Of(chromium.Folder, "bulk-loss.pcapng");
        await using OpenedPage page = await OpenedPage.Open(chromium.Browser, path, place: "#connection-0-server@0.1-0.2");
        Assert.Equal("true", await page.Page.Locator("button[value=fromServer]").GetAttributeAsync("aria-pressed"));
        (double From, double To) shown = await page.Shown();
        Assert.Equal(0.075, shown.From, 3);
        Assert.Equal(0.225, shown.To, 3);
    }

    [ToolFact(Program)]
    public async Task HostileNames_AreTextEverywhere()
    {
        using TraceReader reader = new HostileTrace(Hostile);
        string path = Reports.Write(chromium.Folder, reader, analysis => [Finding(analysis.Connections[0])]);
        await using OpenedPage page = await OpenedPage.Open(chromium.Browser, path);
        Assert.Empty(page.Complaints);
        Assert.Equal(0, await page.Page.Locator("img").CountAsync());
        string process = await page.Page.Locator(".connections tr[data-place] td:nth-child(4)").InnerTextAsync();
        Assert.Equal("42 </script><img src=x onerror=alert(1)>\"'&<!--?txt?[31m", process);
        Assert.Equal("</script><img src=x onerror=alert(1)>\"'&<!--?txt?[31m", await page.Page.Locator(".finding h3").InnerTextAsync());
    }

    // The screen shows the rows that fit into its window; on paper stand those, too, that one would have to scroll to. What is printed is seen by a listener
    // behind the page's own.
    [ToolFact(Program)]
    public async Task Print_IsLightAndShowsTheTable()
    {
        using TraceReader reader = new CrowdTrace(60);
        string path = Reports.Write(chromium.Folder, reader, analysis => analysis.Findings);
        await using OpenedPage page = await OpenedPage.Open(chromium.Browser, path, theme: ColorScheme.Dark);
        const string look = "`${document.documentElement.dataset.theme} ${document.querySelectorAll('.connections tr[data-place]').length}`";
        await page.Page.EvaluateAsync($"addEventListener('beforeprint', () => {{ window.printed = {look}; }})");
        string before = await page.Page.EvaluateAsync<string>(look);
        await page.Page.PdfAsync();

        Assert.Equal("light 60", await page.Page.EvaluateAsync<string>("window.printed"));
        Assert.Matches("^dark [1-5]?[0-9]$", before);
        Assert.Equal(before, await page.Page.EvaluateAsync<string>(look));
        Assert.Empty(page.Complaints);
    }

    // Sixty connections with one cause: five in sight, the others folded away, with evidence and advice.
    [ToolFact(Program)]
    public async Task Print_ShowsEveryListedConnectionAndAllAdvice()
    {
        using TraceReader reader = new CrowdTrace(60);
        string path = Reports.Write(chromium.Folder, reader, analysis =>
            [.. analysis.Connections.Select(Finding), Finding(analysis.Connections[0]) with { Id = "tail-loss" }]);
        await using OpenedPage page = await OpenedPage.Open(chromium.Browser, path);
        Assert.Equal(2, await page.Page.Locator(".finding").CountAsync());
        const string seen = "[...document.querySelectorAll('.finding .places li, .finding .advice li')].filter((item) => item.checkVisibility()).length";
        await page.Page.EvaluateAsync($"addEventListener('beforeprint', () => {{ window.printed = {seen}; }})");
        Assert.Equal(6, await page.Page.EvaluateAsync<int>(seen)); // five connections, and the advice of the first finding
        await page.Page.PdfAsync();
        Assert.Equal(62, await page.Page.EvaluateAsync<int>("window.printed"));
        Assert.Equal(6, await page.Page.EvaluateAsync<int>(seen));
        Assert.Empty(page.Complaints);
    }

    // Buttons and fields do nothing on paper.
    [ToolFact(Program)]
    public async Task Print_HidesWhatCanOnlyBeClicked()
    {
        await using OpenedPage page = await Open();
        await Assertions.Expect(page.Page.Locator("#theme")).ToBeVisibleAsync();
        await page.Page.EmulateMediaAsync(new() { Media = Media.Print });
        await Assertions.Expect(page.Page.Locator("#theme")).ToBeHiddenAsync();
        await Assertions.Expect(page.Page.GetByRole(AriaRole.Searchbox)).ToBeHiddenAsync();
        await Assertions.Expect(page.Page.Locator(".saves").First).ToBeHiddenAsync();
    }

    static Finding Finding(Connection connection) =>
        new("path-loss", connection, true, FindingSeverity.Critical, 1, 0.9,
            static () => new FindingText(Hostile, Hostile, [new FindingEvidence(Hostile, Hostile)], [Hostile]));
}
