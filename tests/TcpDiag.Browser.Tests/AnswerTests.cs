using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Browser.Tests;

/// <summary>The answer to a customer as a page in Chromium.</summary>
/// <param name="chromium">The browser.</param>
public sealed class AnswerTests(Chromium chromium) : IClassFixture<Chromium>
{
    const string Program = "chromium";
    const string Hostile = "</code></dd><script>document.title='x'</script><img src=x onerror=alert(1)>\"'&<!--";

    // One word that is wider than a narrow window.
    static readonly string LongCommand = $"netsh interface ipv4 set subinterface \"{new string('N', 90)}\" mtu=1400 store=persistent";

    static readonly CustomerAnswer Answer = new("de", "Es liegt an diesem Computer.")
    {
        Facts = [new("Ursache", "das Empfangsfenster war kleiner als das, was der Weg fasst"), new("Zeitverlust", "3,04 s von 8,40 s")],
        Steps = new("Was zu tun ist, in dieser Reihenfolge",
        [
            .. Enumerable.Range(1, 12).Select(
            number => new AnswerStep($"Schritt {number}: prüfen Sie {Hostile}", [new("Befehl", LongCommand, true), new("Wer", "Sie", false)])),
        ]),
        RuledOut = new("Was es nicht ist", ["Verluste unterwegs: 3 von 4000 Paketen wurden wiederholt"]),
        Recorded = new("Was aufgezeichnet wurde", [Hostile]),
        More = "Mehr dazu: tcpdiag explain receive-window-limited",
    };

    async Task<OpenedPage> Open(int width = 1280, ColorScheme theme = ColorScheme.Light)
    {
        string path = Path.Combine(chromium.Folder, "answer.html");
        await using (var file = new StreamWriter(path))
        {
            new AnswerPage(file, Sentences.In("de")).Write(Answer, "report.html", "Erstellt von tcpdiag.");
        }

        return await OpenedPage.Open(chromium.Browser, path, width, theme, hasScript: false);
    }

    [ToolTheory(Program)]
    [InlineData(1280, ColorScheme.Light)]
    [InlineData(400, ColorScheme.Light)]
    [InlineData(320, ColorScheme.Dark)]
    public async Task Open_AnyWindow_NeitherComplainsNorAsksTheNetworkNorScrollsSideways(int width, ColorScheme theme)
    {
        await using OpenedPage page = await Open(width, theme);
        Assert.Empty(page.Complaints);
        Assert.InRange(await page.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"), 0, width);
    }

    [ToolFact(Program)]
    public async Task Theme_OfTheSystem_ChangesBackgroundAndText()
    {
        await using OpenedPage light = await Open();
        await using OpenedPage dark = await Open(theme: ColorScheme.Dark);
        const string Colours = "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color";
        Assert.NotEqual(await light.Page.EvaluateAsync<string>(Colours), await dark.Page.EvaluateAsync<string>(Colours));
    }

    [ToolFact(Program)]
    public async Task HostileTexts_StayText()
    {
        await using OpenedPage page = await Open();
        Assert.Equal("tcpdiag: Es liegt an diesem Computer.", await page.Page.TitleAsync());
        Assert.Equal(0, await page.Page.Locator("img, script").CountAsync());
        Assert.Equal($"Schritt 1: prüfen Sie {Hostile}", await page.Page.Locator("ol > li p").First.InnerTextAsync());
    }

    // What a screen reader is told: landmarks, headings, the order of steps, and which value belongs to which name.
    [ToolFact(Program)]
    public async Task AccessibilityTree_HasLandmarksHeadingsAndNames()
    {
        await using OpenedPage page = await Open();
        string tree = await page.Page.Locator("html").AriaSnapshotAsync();
        Assert.All(
            (string[])
            [
                "- main:", "heading \"Es liegt an diesem Computer.\" [level=1]", "region \"Was zu tun ist, in dieser Reihenfolge\":",
                "heading \"Was zu tun ist, in dieser Reihenfolge\" [level=2]", "region \"Was es nicht ist\":", "region \"Was aufgezeichnet wurde\":",
                "- term: Befehl", "- definition: Sie", "- contentinfo:", "link \"Die Auswertung mit Bildern, für Fachleute\"", "- /url: report.html",
            ],
            expected => Assert.Contains(expected, tree, StringComparison.Ordinal));
        Assert.Equal("de", await page.Page.Locator("html").GetAttributeAsync("lang"));
        Assert.Equal(1, await page.Page.GetByRole(AriaRole.Heading, new() { Level = 1 }).CountAsync());
        ILocator steps = page.Page.GetByRole(AriaRole.Region, new() { Name = Answer.Steps!.Heading }).GetByRole(AriaRole.Listitem);
        Assert.Equal(Answer.Steps.Steps.Count, await steps.CountAsync());
    }

    [ToolFact(Program)]
    public async Task Print_Pdf_HoldsTheAnswerAndAllSteps()
    {
        await using OpenedPage page = await Open(theme: ColorScheme.Dark);
        string text = PdfText.Of(await page.Page.PdfAsync(new() { Format = "A4" }));
        Assert.Contains("EsliegtandiesemComputer.", text, StringComparison.Ordinal);
        Assert.All(Answer.Steps!.Steps, step =>
            Assert.Contains(step.What.Replace(" ", string.Empty, StringComparison.Ordinal), text, StringComparison.Ordinal));
        Assert.Equal(Answer.Steps.Steps.Count, text.Split(LongCommand.Replace(" ", string.Empty, StringComparison.Ordinal)).Length - 1);
        Assert.Contains("Verlusteunterwegs:3von4000", text, StringComparison.Ordinal);
    }
}
