using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Browser.Tests;

/// <summary>The pages of <c>serve</c> as a reader meets them: in Chromium, by mouse and by keyboard.</summary>
/// <param name="chromium">The browser.</param>
/// <param name="store">The store.</param>
public sealed class ServePageTests(Chromium chromium, HostileStore store) : IClassFixture<Chromium>, IClassFixture<HostileStore>
{
    const string Program = "chromium";

    const string Focused = """
        (() => {
          const element = document.activeElement;
          return element === document.body ? '' : `${element.tagName} ${element.getAttribute('href') ?? element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent}`;
        })()
        """;

    const string Focusable = """
        [...document.querySelectorAll('a[href], input, select, button, summary, [tabindex="0"]')].filter((element) => element.checkVisibility())
          .map((element) => `${element.tagName} ${element.getAttribute('href') ?? element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent}`)
        """;

    // An outline, or for a link that comes into sight when it is reached, its place.
    const string ShowsFocus = "getComputedStyle(document.activeElement).outlineStyle !== 'none' && document.activeElement.getBoundingClientRect().left >= 0";

    /// <summary>All pages but that of graphs, which is the report's own.</summary>
    public static TheoryData<string> Pages =>
    [
        "/", "/?by=nic", "/builds", "/compare", "/compare?a=19041&b=26541", "/recordings", "/recordings?first_finding=path-loss&sort=lost&page=2",
            "/connections", "/connections?q=zz&end=none",
        $"/recordings/{HostileStore.Crowd}", $"/recordings/{HostileStore.Crowd}?from=9800", $"/recordings/{HostileStore.Crowd}/connections/9999",
        $"/recordings/{HostileStore.Hostile}", $"/recordings/{HostileStore.Hostile}/connections/0",
    ];

    [ToolTheory(Program)]
    [MemberData(nameof(Pages))]
    public async Task Page_AnyWindow_NeitherComplainsNorAsksOthersNorScrollsSideways(string path)
    {
        foreach ((int width, ColorScheme theme) in ((int, ColorScheme)[])[(1280, ColorScheme.Light), (400, ColorScheme.Dark)])
        {
            await using OpenedPage page = await store.Open(chromium.Browser, path, width, theme);
            Assert.Empty(page.Complaints);
            Assert.InRange(await page.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"), 0, width);
            Assert.DoesNotContain("token=", page.Page.Url, StringComparison.Ordinal);
            Assert.Equal(1, await page.Page.Locator("h1").CountAsync());
            Assert.Equal(0, await page.Page.Locator("script, img, iframe, object").CountAsync());
        }
    }

    [ToolTheory(Program)]
    [MemberData(nameof(Pages))]
    public async Task Page_IsAccessible(string path)
    {
        foreach (ColorScheme theme in (ColorScheme[])[ColorScheme.Light, ColorScheme.Dark])
        {
            await using OpenedPage page = await store.Open(chromium.Browser, path, theme: theme);
            Assert.Equal(string.Empty, string.Join('\n', await Axe.Check(page.Page)));
        }
    }

    [ToolTheory(Program)]
    [InlineData("/")]
    [InlineData("/builds")]
    [InlineData("/compare?a=19041&b=26541")]
    [InlineData("/recordings?build=19041")]
    [InlineData("/connections?build=19041")]
    public async Task Keyboard_ReachesEverything_AndShowsWhereItIs(string path)
    {
        await using OpenedPage page = await store.Open(chromium.Browser, path);
        string[] all = await page.Page.EvaluateAsync<string[]>(Focusable);
        List<string> walked = [];
        for (int i = 0; i < all.Length; i++)
        {
            await page.Page.Keyboard.PressAsync("Tab");
            walked.Add(await page.Page.EvaluateAsync<string>(Focused));
            Assert.True(await page.Page.EvaluateAsync<bool>(ShowsFocus), walked[^1]);
        }

        Assert.Equal(all, walked);
        Assert.Equal("A #content", walked[0]);
    }

    [ToolFact(Program)]
    public async Task Keyboard_GoesFromPageToPage()
    {
        await using OpenedPage page = await store.Open(chromium.Browser, "/");
        await page.Page.GetByRole(AriaRole.Link, new() { Name = "Recordings" }).PressAsync("Enter");
        await page.Page.GetByLabel("Build", new() { Exact = true }).FillAsync("19041");
        await page.Page.GetByLabel("Build", new() { Exact = true }).PressAsync("Enter");
        await Assertions.Expect(page.Page.Locator("h1")).ToHaveTextAsync("12 recordings");
        Assert.Contains("build=19041", page.Page.Url, StringComparison.Ordinal);
        await page.Page.Locator("table a").First.PressAsync("Enter");
        await page.Page.Locator("section:has(h2:text-is('Connections')) tbody a").First.PressAsync("Enter");
        await Assertions.Expect(page.Page.Locator("h1")).ToHaveTextAsync("Connection 0");
        Assert.Empty(page.Complaints);
    }

    // Whoever gets the address of a page sees the same, once he has the token.
    [ToolFact(Program)]
    public async Task Address_OfAComparison_CanBeShared()
    {
        await using OpenedPage first = await store.Open(chromium.Browser, "/compare");
        await first.Page.GetByLabel("Build A").SelectOptionAsync("19341");
        await first.Page.GetByLabel("Build B, beside it").SelectOptionAsync("26541");
        await first.Page.GetByRole(AriaRole.Button).ClickAsync();
        await Assertions.Expect(first.Page.Locator("h1")).ToHaveTextAsync("26541 beside 19341");
        string shared = first.Page.Url[store.Address.Length..];
        await using OpenedPage second = await store.Open(chromium.Browser, shared);
        Assert.Equal(await first.Page.Locator("main").InnerTextAsync(), await second.Page.Locator("main").InnerTextAsync());
    }

    [ToolFact(Program)]
    public async Task TenThousandConnections_AreAllThere()
    {
        await using OpenedPage page = await store.Open(chromium.Browser, $"/recordings/{HostileStore.Crowd}?from=9800");
        IReadOnlyList<string> numbers = await page.Page.Locator("section:has(h2:text-is('Connections')) tbody th").AllInnerTextsAsync();
        Assert.Equal(Enumerable.Range(9800, 200).Select(number => $"{number}"), numbers);
        Assert.Equal(0, await page.Page.Locator("a[rel=next]").CountAsync());
        await page.Page.Locator("a[rel=prev]").ClickAsync();
        await Assertions.Expect(page.Page.Locator(".pager")).ToContainTextAsync("9600 to 9799 of 10000");
        Assert.Empty(page.Complaints);
    }

    [ToolFact(Program)]
    public async Task HostileTexts_AreTextInEveryField()
    {
        foreach (string path in (string[])[$"/recordings/{HostileStore.Hostile}", $"/recordings/{HostileStore.Hostile}/connections/1", "/", "/?by=nic",
            "/?by=site", "/builds", "/recordings"])
        {
            await using OpenedPage page = await store.Open(chromium.Browser, path);
            Assert.Empty(page.Complaints);
            string text = await page.Page.Locator("main").InnerTextAsync();
            Assert.True(text.Contains(HostileStore.Seen, StringComparison.Ordinal), path);
            Assert.Equal(0, await page.Page.Locator("img, script, [onerror]").CountAsync());
        }
    }

    // A link with a hostile name in its address finds what has that name.
    [ToolFact(Program)]
    public async Task HostileNames_InLinks_LeadToWhatHasThem()
    {
        await using OpenedPage page = await store.Open(chromium.Browser, "/builds");
        await page.Page.Locator("tbody th a", new() { HasText = "onerror" }).First.ClickAsync();
        await page.Page.WaitForURLAsync("**/recordings?build=*");
        Assert.Empty(page.Complaints);
        Assert.Equal(0, await page.Page.Locator("img, script").CountAsync());
    }

    [ToolFact(Program)]
    public async Task Graphs_AreDrawnUnderThePolicyOfTheServer()
    {
        await using OpenedPage page = await store.Open(chromium.Browser, $"/recordings/{store.Drawn}/connections/0/graphs", hasScript: true);
        Assert.Empty(page.Complaints);
        Assert.Equal(4, await page.Page.Locator(".plots canvas").CountAsync());
    }

    [ToolFact(Program)]
    public async Task WithoutAToken_APageSaysWhatToDo()
    {
        IBrowserContext context = await chromium.Browser.NewContextAsync();
        IPage page = await context.NewPageAsync();
        IResponse? answer = await page.GotoAsync(store.Address + "/builds");
        Assert.Equal(401, answer!.Status);
        Assert.Contains("tcpdiag serve printed", await page.Locator("main").InnerTextAsync(), StringComparison.Ordinal);
        await context.CloseAsync();
    }
}
